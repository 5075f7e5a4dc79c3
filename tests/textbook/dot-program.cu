// A reduction by one block, with cooperative groups and dynamic shared memory.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace cg = cooperative_groups;

#if defined(USE_DOUBLE)
typedef double real;
#else
typedef float real;
#endif

__device__ __forceinline__ real sum_of_warp(cg::thread_block_tile<32> warp, real value)
{
    for (int offset = warp.size() / 2; offset > 0; offset /= 2)
        value += warp.shfl_down(value, offset);
    return value;
}

extern __shared__ real partial[];

__global__ void dot_kernel(const real *x, const real *y, real *out, int n)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    real sum = 0;
    for (int i = block.thread_rank(); i < n; i += block.size())
        sum += x[i] * y[i];
    sum = sum_of_warp(warp, sum);
    if (warp.thread_rank() == 0)
        partial[block.thread_rank() / 32] = sum;
    block.sync();
    if (block.thread_rank() == 0) {
        for (int w = 1; w < block.size() / 32; w++)
            sum += partial[w];
        *out = sum;
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1 << 20;
    std::vector<real> x(n, 1.0f), y(n, 2.0f);
    real *d_x, *d_y, *d_out, out;
    cudaMalloc(&d_x, n * sizeof(real));
    cudaMalloc(&d_y, n * sizeof(real));
    cudaMalloc(&d_out, sizeof(real));
    cudaMemcpy(d_x, x.data(), n * sizeof(real), cudaMemcpyHostToDevice);
    cudaMemcpy(d_y, y.data(), n * sizeof(real), cudaMemcpyHostToDevice);
    int threads = 512;
    dot_kernel<<<1, threads, threads / 32 * sizeof(float)>>>(d_x, d_y, d_out, n);
    cudaMemcpy(&out, d_out, sizeof(real), cudaMemcpyDeviceToHost);
#ifdef VERBOSE
    printf("n = %d\n", n);
#endif
    printf("%s\n", out == 2.0f * n ? "PASS" : "FAIL");
    return EXIT_SUCCESS;
}
