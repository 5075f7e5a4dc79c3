// What atomic operations and stores to global memory take, for the constants of src/explain/model:
// nvcc -std=c++17 -O3 -arch=native atomics.cu -o atomics, then ./atomics.
// A line each: what; addresses that are used; nanoseconds for a warp's instruction, on the whole device.
#include <algorithm>
#include <cstdio>
#include <vector>

enum where { SAME, ONE_LANE, LINE, LINES, FEW, LANES_FEW, RANDOM, SECTORS };

// The word of a warp's lane in its round.
__device__ unsigned place(where w, unsigned words, unsigned warp, unsigned lane, unsigned round)
{
    unsigned hash = (warp * 977 + round) * 32 + lane;
    hash ^= hash >> 15, hash *= 0x2c1b3c6d, hash ^= hash >> 12, hash *= 0x297a2d39, hash ^= hash >> 15;
    switch (w) {
    case SAME:
    case ONE_LANE:
        return 0;
    case LINE:
        return lane; // the same line for all warps
    case LINES:
        return ((warp * 64 + round) * 32 + lane) % words; // a line for each warp's instruction
    case FEW:
        return hash % words; // all lanes anywhere in so many words
    case LANES_FEW:
        return lane % words;
    case SECTORS:
        return ((warp * 64 + round) * 256 + lane * 8) % words; // a sector for each lane
    default:
        return hash % words;
    }
}

enum what { RED_F32, RED_U32, RED_F64, ATOM_F32, ATOM_U32, CAS_U32, STORE_32, STORE_128 };

template <what W> __global__ void work(void *memory, where w, unsigned words, int rounds, unsigned *sink)
{
    unsigned warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32, seen = 0;
    if (w == ONE_LANE && lane)
        return;
    for (int i = 0; i < rounds; i++) {
        unsigned at = place(w, words, warp, lane, i);
        unsigned *word = (unsigned *)memory + at;
        if (W == RED_F32)
            asm volatile("red.global.add.f32 [%0], %1;" ::"l"(word), "f"(1.0f) : "memory");
        if (W == RED_U32)
            asm volatile("red.global.add.u32 [%0], %1;" ::"l"(word), "r"(warp) : "memory");
        if (W == RED_F64)
            asm volatile("red.global.add.f64 [%0], %1;" ::"l"((double *)memory + at), "d"(1.0) : "memory");
        if (W == ATOM_F32) {
            float old;
            asm volatile("atom.global.add.f32 %0, [%1], %2;" : "=f"(old) : "l"(word), "f"(1.0f) : "memory");
            seen += old > 1e30f;
        }
        if (W == ATOM_U32) {
            unsigned old;
            asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(word), "r"(warp) : "memory");
            seen += old;
        }
        if (W == CAS_U32) {
            unsigned old;
            asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;" : "=r"(old) : "l"(word), "r"(0), "r"(warp) : "memory");
            seen += old;
        }
        if (W == STORE_32)
            asm volatile("st.global.u32 [%0], %1;" ::"l"(word), "r"(warp) : "memory");
        if (W == STORE_128)
            asm volatile("st.global.v4.u32 [%0], {%1,%1,%1,%1};" ::"l"((uint4 *)memory + at), "r"(warp) : "memory");
    }
    if (seen == 12345)
        *sink = seen;
}

// In shared memory: native for integers, a loop of compare and swap for floats.
template <bool is_float> __global__ void work_shared(int words, int rounds, unsigned *sink)
{
    __shared__ unsigned part[4096];
    for (int i = threadIdx.x; i < 4096; i += blockDim.x)
        part[i] = 0;
    __syncthreads();
    unsigned lane = threadIdx.x % 32;
    for (int i = 0; i < rounds; i++) {
        unsigned hash = (threadIdx.x * 131 + i) * 2654435761u >> 8, at = words > 0 ? hash % words : lane;
        if (is_float)
            atomicAdd((float *)&part[at], 1.0f);
        else
            asm volatile("red.shared.add.u32 [%0], %1;" ::"r"((unsigned)__cvta_generic_to_shared(&part[at])), "r"(i + 1)
                         : "memory");
    }
    __syncthreads();
    if (part[threadIdx.x] == 99999)
        *sink = 1;
}

template <typename F> static double time_of(F run)
{
    cudaEvent_t begin, end;
    cudaEventCreate(&begin), cudaEventCreate(&end);
    std::vector<float> all;
    for (int i = 0; i < 6; i++) {
        float ms;
        cudaEventRecord(begin), run(), cudaEventRecord(end), cudaEventSynchronize(end);
        cudaEventElapsedTime(&ms, begin, end);
        if (i)
            all.push_back(ms);
    }
    std::sort(all.begin(), all.end());
    return all[all.size() / 2] * 1e6;
}

static void *memory;
static unsigned *sink;

template <what W> static void show(const char *name, where w, const char *as, unsigned words, int blocks, int rounds)
{
    double ns = time_of([&] { work<W><<<blocks, 256>>>(memory, w, words, rounds, sink); });
    std::printf("%-10s %-10s %10u words  %5d groups  %10.4f ns\n", name, as, words, blocks,
                ns / (8.0 * blocks * rounds));
}

template <what W> static void show_all(const char *name)
{
    show<W>(name, SAME, "same", 1, 1056, 2);
    show<W>(name, ONE_LANE, "one lane", 1, 1056, 16);
    show<W>(name, LINE, "line", 32, 1056, 16);
    for (unsigned k = 2; k <= 16; k *= 2)
        show<W>(name, LANES_FEW, "lanes", k, 1056, 4);
    for (unsigned k = 4; k <= 1u << 24; k *= k < 256 ? 4 : 16)
        show<W>(name, FEW, "random", k, 1056, 8);
    show<W>(name, LINES, "lines", 1 << 21, 1056, 32);
    show<W>(name, LINES, "lines", 1 << 26, 1056, 32);
    show<W>(name, SECTORS, "sectors", 1 << 21, 1056, 32);
    show<W>(name, SECTORS, "sectors", 1 << 27, 1056, 32);
    show<W>(name, SAME, "same", 1, 1, 16);
    show<W>(name, LINES, "lines", 1 << 21, 1, 64);
}

int main()
{
    cudaDeviceProp device;
    cudaGetDeviceProperties(&device, 0);
    cudaMalloc(&memory, 1ul << 31), cudaMalloc(&sink, 4);
    cudaMemset(memory, 0, 1ul << 31);
    std::printf("%s, %d multiprocessors; nanoseconds for a warp's instruction, on the whole device\n", device.name,
                device.multiProcessorCount);
    show_all<RED_F32>("red f32");
    show_all<RED_U32>("red u32");
    show_all<RED_F64>("red f64");
    show_all<ATOM_F32>("atom f32");
    show_all<ATOM_U32>("atom u32");
    show_all<CAS_U32>("cas u32");
    for (unsigned words : {1u << 20, 1u << 22, 1u << 23, 1u << 25, 1u << 28})
        show<STORE_32>("store 4", SECTORS, "sectors", words, 1056, 32);
    for (unsigned words : {1u << 20, 1u << 22, 1u << 25, 1u << 28})
        show<STORE_32>("store 4", LINES, "lines", words, 1056, 64);
    for (unsigned words : {1u << 19, 1u << 20, 1u << 23, 1u << 26})
        show<STORE_128>("store 16", LINES, "lines", words, 1056, 64);
    show<STORE_32>("store 4", RANDOM, "random", 1 << 22, 1056, 32);
    show<STORE_32>("store 4", RANDOM, "random", 1 << 28, 1056, 32);
    show<STORE_32>("store 4", SAME, "same", 1, 1056, 32);
    for (int words : {0, 1, 2, 4, 8, 16, 32, 256, 4096}) {
        double u = time_of([&] { work_shared<false><<<132, 256>>>(words, 64, sink); });
        double f = time_of([&] { work_shared<true><<<132, 256>>>(words, 64, sink); });
        std::printf("shared %5d words: u32 %8.3f ns, f32 %8.3f ns for a warp's instruction on one multiprocessor\n",
                    words, u / (8 * 64), f / (8 * 64));
    }
    return cudaDeviceSynchronize() != cudaSuccess;
}
