// A bitonic sort of any length by one block; beside it a kernel of a step for many, which main() does not launch.
#include <cuda.h>
#include <iostream>
#include <limits.h>

const unsigned THREADS = 512;

#ifdef __CUDACC__
#define HD __host__ __device__
#else
#define HD
#endif

template <typename T> HD void exchange(T &a, T &b)
{
    T c = a;
    a = b;
    b = c;
}

int next_power(int n)
{
    int p = 1;
    while (p < n)
        p <<= 1;
    return p;
}

__global__ void bitonic_step(int *values, int j, int k)
{
    unsigned i = threadIdx.x + blockDim.x * blockIdx.x, other = i ^ j;
    if (other > i && ((i & k) == 0) == (values[i] > values[other]))
        exchange(values[i], values[other]);
}

__global__ void sort_block(int *keys, int n)
{
    for (unsigned size = 2; size < 2u * n; size *= 2) {
        for (unsigned stride = size / 2; stride > 0; stride /= 2) {
            for (unsigned i = threadIdx.x; i < n; i += THREADS) {
                unsigned other = stride == size / 2 ? i ^ (size - 1) : i ^ stride; /* all ascending */
                if (other > i && other < n && keys[i] > keys[other])
                    exchange(keys[i], keys[other]);
            }
            __syncthreads();
        }
    }
}

int main()
{
    const int n = 10000;
    int *keys;
    cudaMallocManaged(&keys, n * sizeof(int));
    for (int i = 0; i < n; i++)
        keys[i] = rand() % INT_MAX;
    sort_block<<<1, THREADS>>>(keys, n);
    cudaDeviceSynchronize();
    for (int i = 1; i < n; i++)
        if (keys[i] < keys[i - 1])
            std::cout << "wrong at " << i << " of " << next_power(n) << std::endl;
    cudaFree(keys);
}
