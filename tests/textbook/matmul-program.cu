// A program in C++: a template of a kernel, host code with the standard library, several kernels of which main()
// launches one.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include <cuda_runtime.h>
#include <thrust/device_vector.h>

using namespace std;
using Clock = std::chrono::high_resolution_clock;

#define CEIL_DIV(a, b) (((a) + (b)-1) / (b))
#define CUDA_CHECK(x) check((x), __FILE__, __LINE__)

namespace
{
void check(cudaError_t code, const char *file, int line)
{
    if (code != cudaSuccess)
        throw std::runtime_error(std::string(file) + ":" + std::to_string(line));
}

std::mt19937 generator{42};
vector<float> random_matrix(int rows, int cols)
{
    uniform_real_distribution<float> uniform(-1.0f, 1.0f);
    vector<float> matrix(size_t(rows) * cols);
    generate(matrix.begin(), matrix.end(), [&] { return uniform(generator); });
    return matrix;
}
} // namespace

template <typename T> struct Tile {
    T *data;
    int stride;
    __device__ T &at(int row, int col)
    {
        return data[row * stride + col];
    }
};

__global__ void product_by_rows(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    for (int col = 0; row < M && col < N; col++)
        for (int k = 0; k < K; k++)
            C[row * N + col] += A[row * K + k] * B[k * N + col];
}

template <typename T, int TILE>
__global__ void __launch_bounds__(TILE *TILE)
    product_by_tiles(const T *__restrict__ A, const T *__restrict__ B, T *__restrict__ C, int M, int N, int K)
{
    __shared__ T a_tile[TILE * TILE], b_tile[TILE * TILE];
    Tile<T> a{a_tile, TILE}, b{b_tile, TILE};
    const int col = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
    T sum = 0;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        a.at(threadIdx.y, threadIdx.x) = row < M && k0 + threadIdx.x < K ? A[size_t(row) * K + k0 + threadIdx.x] : T(0);
        b.at(threadIdx.y, threadIdx.x) = col < N && k0 + threadIdx.y < K ? B[size_t(k0 + threadIdx.y) * N + col] : T(0);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++)
            sum += a.at(threadIdx.y, k) * b.at(k, threadIdx.x);
        __syncthreads();
    }
    if (row < M && col < N)
        C[size_t(row) * N + col] = sum;
}

template <typename T> void multiply(const T *a, const T *b, T *c, int m, int n, int k)
{
    constexpr int tile = 16;
    const dim3 block(tile, tile);
    const dim3 grid(CEIL_DIV(n, tile), CEIL_DIV(m, tile));
    product_by_tiles<T, tile><<<grid, block, 0, nullptr>>>(a, b, c, m, n, k);
    CUDA_CHECK(cudaDeviceSynchronize());
}

int main()
{
    const int m = 512, n = 384, k = 1'000;
    auto a = random_matrix(m, k), b = random_matrix(k, n);
    thrust::device_vector<float> d_a(a.begin(), a.end()), d_b(b.begin(), b.end()), d_c(m * n);
    auto begin = Clock::now();
    multiply(d_a.data().get(), d_b.data().get(), d_c.data().get(), m, n, k);
    cout << chrono::duration<double, milli>(Clock::now() - begin).count() << " ms\n";
}
