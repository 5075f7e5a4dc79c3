/* What two publications say of CUDA beside their tables, measured: the costs that a driver hides (code, arguments,
 * initialised memory, the start itself), work of the CPU beside that of the GPU, the caches that a load passes, how L1
 * and shared memory are split, constant memory, kernels that run at once, kernels that start kernels.
 *
 *   nvcc -O2 -rdc=true -arch=sm_90 -o published_effects tests/hardware/published_effects.cu -lcudadevrt -lcuda
 *   ./published_effects
 *
 * Times are medians of SAMPLES by the host's clock, with a wait for the device at the end. */
#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define SAMPLES 21
#define FAR 64 /* launches in one sample */

static double now()
{
    using namespace std::chrono;
    return duration<double, std::micro>(steady_clock::now().time_since_epoch()).count();
}

static void must(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    std::printf("%s: %s\n", what, cudaGetErrorString(error));
    std::exit(1);
}

template <typename Work> static double median(int samples, Work work)
{
    std::vector<double> times;
    for (int i = 0; i < samples; i++) {
        double start = now();
        work();
        must(cudaDeviceSynchronize(), "a sample");
        times.push_back(now() - start);
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

static void row(const char *what, double microseconds)
{
    std::printf("  %-66s %10.1f us\n", what, microseconds);
}

/* ---- code, arguments, initialised memory ---- */

__global__ void small_kernel(int *out)
{
    if (out)
        *out = 1;
}

__global__ void large_kernel(float *out, float x)
{
#pragma unroll
    for (int i = 0; i < 6000; i++)
        x = x * 1.0001f + (float)i * x;
    if (out)
        *out = x;
}

struct large_argument {
    char bytes[4000];
};

__global__ void large_argument_kernel(large_argument argument, int *out)
{
    if (out)
        *out = argument.bytes[0];
}

/* A module with `bytes` of initialised memory, linked; then loading it is timed. */
static double load_microseconds(size_t bytes)
{
    std::string text = ".version 7.0\n.target sm_80\n.address_size 64\n.visible .global .align 4 .u32 table[" +
                       std::to_string(bytes / 4) + "] = {1, 2, 3, 4};\n.visible .entry nothing() { ret; }\n";
    CUlinkState state;
    void *cubin;
    size_t size;
    if (cuLinkCreate(0, nullptr, nullptr, &state) != CUDA_SUCCESS ||
        cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)text.c_str(), text.size() + 1, "table", 0, nullptr, nullptr) !=
            CUDA_SUCCESS ||
        cuLinkComplete(state, &cubin, &size) != CUDA_SUCCESS) {
        std::printf("  no module with %zu bytes\n", bytes);
        return 0;
    }
    std::vector<double> times;
    for (int i = 0; i < 5; i++) {
        CUmodule module;
        CUdeviceptr at;
        size_t length;
        double start = now();
        if (cuModuleLoadData(&module, cubin) != CUDA_SUCCESS ||
            cuModuleGetGlobal(&at, &length, module, "table") != CUDA_SUCCESS)
            return 0;
        must(cudaDeviceSynchronize(), "a module");
        times.push_back(now() - start);
        cuModuleUnload(module);
    }
    std::sort(times.begin(), times.end());
    cuLinkDestroy(state);
    return times[2];
}

static void hidden_costs(double start)
{
    std::printf("Costs that the driver hides\n");
    row("the first call of the runtime: driver, context", start);
    double first = now();
    small_kernel<<<1, 1>>>(nullptr);
    must(cudaDeviceSynchronize(), "small");
    row("a small kernel, first launch (its code is loaded)", now() - first);
    row("… later launches", median(SAMPLES, [] { small_kernel<<<1, 1>>>(nullptr); }));
    first = now();
    large_kernel<<<1, 1>>>(nullptr, 1);
    must(cudaDeviceSynchronize(), "large");
    row("a kernel of 6000 steps, unrolled, first launch", now() - first);
    row("… later launches", median(SAMPLES, [] { large_kernel<<<1, 1>>>(nullptr, 1); }));
    large_argument argument = {};
    large_argument_kernel<<<1, 1>>>(argument, nullptr);
    must(cudaDeviceSynchronize(), "argument");
    row("64 launches with an argument of 8 bytes", median(SAMPLES, [] {
            for (int i = 0; i < FAR; i++)
                small_kernel<<<1, 1>>>(nullptr);
        }));
    row("64 launches with one of 4008 bytes", median(SAMPLES, [&] {
            for (int i = 0; i < FAR; i++)
                large_argument_kernel<<<1, 1>>>(argument, nullptr);
        }));
    row("a module with 4 KiB of initialised device memory, loaded", load_microseconds(4 << 10));
    row("… with 1 MiB", load_microseconds(1 << 20));
    row("… with 16 MiB", load_microseconds(16 << 20));
    row("… with 64 MiB", load_microseconds(64 << 20));
    int *word, result;
    must(cudaMalloc(&word, 4), "4 bytes");
    row("a result of 4 bytes, to the host",
        median(SAMPLES, [&] { cudaMemcpy(&result, word, 4, cudaMemcpyDeviceToHost); }));
    cudaFree(word);
}

/* ---- the CPU beside the GPU ---- */

__global__ void wait_cycles(long long cycles)
{
    long long begin = clock64();
    while (clock64() - begin < cycles)
        ;
}

static double host_work(int steps)
{
    volatile double sum = 0;
    for (int i = 1; i < steps; i++)
        sum = sum + 1.0 / i;
    return sum;
}

static void beside()
{
    const long long cycles = 4000000;
    const int steps = 1500000;
    std::printf("Work of the CPU beside that of the GPU\n");
    row("a kernel", median(SAMPLES, [&] { wait_cycles<<<1, 1>>>(cycles); }));
    row("work of the host", median(SAMPLES, [&] { host_work(steps); }));
    row("the kernel, a wait, then the work", median(SAMPLES, [&] {
            wait_cycles<<<1, 1>>>(cycles);
            cudaDeviceSynchronize();
            host_work(steps);
        }));
    row("the kernel, the work, then a wait", median(SAMPLES, [&] {
            wait_cycles<<<1, 1>>>(cycles);
            host_work(steps);
        }));
}

/* ---- what a load passes, and how L1 is split ---- */

template <bool CACHED> __global__ void read_again(const float *in, float *out, int words, int rounds)
{
    float sum = 0;
    for (int round = 0; round < rounds; round++)
        for (int i = threadIdx.x; i < words; i += blockDim.x) {
            float value;
            if (CACHED)
                asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(value) : "l"(in + i));
            else
                asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(value) : "l"(in + i));
            sum += value;
        }
    if (sum == 1.5f)
        *out = sum;
}

static void caches(int units)
{
    float *in;
    must(cudaMalloc(&in, 1 << 20), "an array");
    must(cudaMemset(in, 0, 1 << 20), "an array");
    std::printf("Caches of a load: a group on each multiprocessor reads its array 200 times\n");
    row("16 KiB, cached in L1 and L2 (-dlcm=ca)",
        median(SAMPLES, [&] { read_again<true><<<units, 256>>>(in, in, 4096, 200); }));
    row("16 KiB, cached in L2 alone (-dlcm=cg)",
        median(SAMPLES, [&] { read_again<false><<<units, 256>>>(in, in, 4096, 200); }));
    for (int percent : {0, 100}) {
        char what[80];
        must(cudaFuncSetAttribute(read_again<true>, cudaFuncAttributePreferredSharedMemoryCarveout, percent),
             "a split");
        std::snprintf(what, sizeof what, "128 KiB, %d %% of L1's memory preferred as shared memory", percent);
        row(what, median(SAMPLES, [&] { read_again<true><<<units, 256>>>(in, in, 32768, 200); }));
    }
    cudaFree(in);
}

/* ---- constant memory ---- */

__constant__ int constants[1024];

__global__ void read_constants(int *out, int distinct, int rounds)
{
    int sum = 0, own = threadIdx.x % distinct;
    for (int i = 0; i < rounds; i++)
        sum += constants[(own + i) & 1023];
    if (sum == 1)
        *out = sum;
}

static void constant_cache(int units)
{
    int *out;
    must(cudaMalloc(&out, 4), "a word");
    std::printf("Constant memory: words that a warp reads at once\n");
    for (int distinct : {1, 2, 4, 8, 16, 32}) {
        char what[80];
        std::snprintf(what, sizeof what, "%d", distinct);
        row(what, median(SAMPLES, [&] { read_constants<<<units, 256>>>(out, distinct, 20000); }));
    }
    cudaFree(out);
}

/* ---- kernels that run at once, and kernels that start kernels ---- */

__global__ void start_children(int count)
{
    for (int i = 0; i < count; i++)
        wait_cycles<<<1, 1>>>(1000);
}

static void kernels()
{
    cudaStream_t streams[16];
    std::printf("16 kernels of one item each, about 100 us long\n");
    for (auto &stream : streams)
        must(cudaStreamCreate(&stream), "a stream");
    for (int used : {1, 2, 4, 8, 16}) {
        char what[80];
        std::snprintf(what, sizeof what, "on %d streams", used);
        row(what, median(SAMPLES, [&] {
                for (int i = 0; i < 16; i++)
                    wait_cycles<<<1, 1, 0, streams[i % used]>>>(180000);
            }));
    }
    for (auto &stream : streams)
        cudaStreamDestroy(stream);
    std::printf("64 kernels of 1000 cycles, one after the other\n");
    row("started by the host", median(SAMPLES, [] {
            for (int i = 0; i < FAR; i++)
                wait_cycles<<<1, 1>>>(1000);
        }));
    row("started by a kernel (dynamic parallelism)", median(SAMPLES, [] { start_children<<<1, 1>>>(FAR); }));
}

int main()
{
    double begin = now();
    must(cudaFree(nullptr), "the runtime's start");
    double start = now() - begin;
    cudaDeviceProp properties;
    must(cudaGetDeviceProperties(&properties, 0), "the device");
    std::printf("%s\n", properties.name);
    hidden_costs(start);
    beside();
    caches(properties.multiProcessorCount);
    constant_cache(properties.multiProcessorCount);
    kernels();
    return 0;
}
