// What a load, a barrier and the start of a group take, for the constants of src/explain/model:
// nvcc -std=c++17 -O3 -arch=native latencies.cu -o latencies, then ./latencies.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

// One item follows a chain of indices; `past_l1`: by loads that the first cache does not keep.
template <bool past_l1> __global__ void chase(const unsigned *next, int steps, long long *clocks, unsigned *sink)
{
    unsigned at = 0;
    for (int i = 0; i < steps / 4; i++)
        at = past_l1 ? __ldcg(next + at) : next[at];
    long long begin = clock64();
    for (int i = 0; i < steps; i++)
        at = past_l1 ? __ldcg(next + at) : next[at];
    *clocks = clock64() - begin;
    *sink = at;
}

__global__ void chase_shared(int steps, long long *clocks, unsigned *sink)
{
    __shared__ unsigned next[1024];
    for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x)
        next[i] = (i * 7 + 13) % 1024;
    __syncthreads();
    unsigned at = 0;
    long long begin = clock64();
    for (int i = 0; i < steps; i++)
        at = next[at];
    if (threadIdx.x == 0)
        *clocks = clock64() - begin;
    if (at == 99999)
        *sink = at;
}

__global__ void barriers(int count, long long *clocks)
{
    long long begin = clock64();
    for (int i = 0; i < count; i++)
        __syncthreads();
    if (threadIdx.x == 0)
        *clocks = clock64() - begin;
}

// Each item adds to a word of its own that is volatile: the load waits for the store before it.
__global__ void add_volatile(volatile float *words, int steps, long long *clocks)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    long long begin = clock64();
    for (int i = 0; i < steps; i++)
        words[at] += 1.0f;
    if (threadIdx.x == 0 && blockIdx.x == 0)
        *clocks = clock64() - begin;
}

__global__ void empty()
{
}

static long long read_clocks(const long long *clocks)
{
    long long value = 0;
    if (cudaMemcpy(&value, clocks, sizeof value, cudaMemcpyDeviceToHost) != cudaSuccess) {
        std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
        std::exit(1);
    }
    return value;
}

static double median_ns(int groups, int items)
{
    cudaEvent_t from, to;
    std::vector<float> times;
    cudaEventCreate(&from);
    cudaEventCreate(&to);
    for (int i = 0; i < 17; i++) {
        float ms = 0;
        cudaEventRecord(from);
        empty<<<groups, items>>>();
        cudaEventRecord(to);
        cudaEventSynchronize(to);
        cudaEventElapsedTime(&ms, from, to);
        times.push_back(ms * 1e6f);
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

static void follow_chains(unsigned *next, long long *clocks, unsigned *sink)
{
    for (size_t bytes : {size_t(8) << 10, size_t(1) << 20, size_t(16) << 20, size_t(32) << 20, size_t(1) << 30}) {
        size_t step = bytes <= 262144 ? 32 : 256, count = bytes / step;
        std::vector<unsigned> order(count), host(bytes / 4, 0);
        for (size_t i = 0; i < count; i++)
            order[i] = unsigned(i);
        for (size_t i = count - 1; i > 0; i--)
            std::swap(order[i], order[(size_t(std::rand()) * 32768 + std::rand()) % i]);
        for (size_t i = 0; i < count; i++)
            host[i * step / 4] = unsigned(order[i] * step / 4);
        cudaMemcpy(next, host.data(), bytes, cudaMemcpyHostToDevice);
        int steps = int(std::min<size_t>(std::max<size_t>(count, 1024), 20000));
        chase<false><<<1, 1>>>(next, steps, clocks, sink);
        double plain = double(read_clocks(clocks)) / steps;
        chase<true><<<1, 1>>>(next, steps, clocks, sink);
        std::printf("latency of a load from %zu KiB: %.0f clocks, past L1 %.0f\n", bytes >> 10, plain,
                    double(read_clocks(clocks)) / steps);
    }
}

int main()
{
    unsigned *next, *sink;
    long long *clocks;
    if (cudaMalloc(&next, size_t(1) << 30) != cudaSuccess || cudaMalloc(&clocks, 8) != cudaSuccess ||
        cudaMalloc(&sink, 4) != cudaSuccess)
        return 3;
    follow_chains(next, clocks, sink);
    chase_shared<<<1, 32>>>(4096, clocks, sink);
    std::printf("latency of a load from shared memory: %.1f clocks\n", double(read_clocks(clocks)) / 4096);
    for (int items : {32, 256, 1024}) {
        barriers<<<1, items>>>(1000, clocks);
        std::printf("barrier of %d items: %.1f clocks\n", items, double(read_clocks(clocks)) / 1000);
    }
    for (int items : {32, 64, 128, 256, 512, 1024})
        for (int groups : {1, 132, 264}) {
            add_volatile<<<groups, items>>>((float *)next, 1000, clocks);
            std::printf("volatile add, %d groups of %d items: %.0f clocks\n", groups, items,
                        double(read_clocks(clocks)) / 1000);
        }
    for (int groups : {1, 132, 1320, 132000, 1320000})
        std::printf("%d empty groups of 256 items: %.0f ns\n", groups, median_ns(groups, 256));
    return 0;
}
