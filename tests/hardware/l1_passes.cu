// Passes of loads through the first cache, by the distance of a warp's words and for drawn places, for the hash of
// src/explain/memory/l1_passes.c: nvcc -O3 -arch=native l1_passes.cu -o l1_passes, then
// ncu --csv --page raw --metrics METRICS ./l1_passes with the METRICS of results/h200/explain-l1-passes.txt. It prints
// the words of each launch's 32 items.
#include <cstdint>
#include <cstdio>
#include <vector>

__global__ void load(const float *words, const int *at, int step, int rounds, float *sink)
{
    const float *word = words + at[threadIdx.x % 32];
    float sum = 0;
    for (int i = 0; i < 32; i++)
        sum += word[i * step];
    for (int r = 0; r < rounds; r++)
#pragma unroll
        for (int i = 0; i < 32; i++) {
            float value;
            asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(value) : "l"(word + i * step));
            sum += value;
        }
    if (sum == 12345)
        *sink = sum;
}

static unsigned draw(uint32_t &seed, unsigned below)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 10) % below;
}

int main()
{
    float *words, *sink;
    int *at, lanes[32];
    if (cudaMalloc(&words, 4 << 22) != cudaSuccess || cudaMalloc(&sink, 4) != cudaSuccess ||
        cudaMalloc(&at, sizeof lanes) != cudaSuccess)
        return 3;
    cudaMemset(words, 0, 4 << 22);
    const std::vector<int> strides = {
        0,    1,    2,    3,    4,    5,    6,    7,    8,    9,    10,   12,   14,   16,   17,   18,   20,
        24,   28,   30,   31,   32,   33,   34,   35,   36,   40,   44,   48,   56,   60,   62,   63,   64,
        65,   66,   68,   72,   80,   96,   100,  112,  120,  124,  125,  126,  127,  128,  129,  130,  132,
        136,  144,  160,  192,  224,  250,  256,  257,  258,  260,  264,  272,  288,  320,  384,  500,  512,
        513,  514,  516,  520,  528,  544,  576,  640,  750,  768,  1000, 1024, 1025, 1026, 1028, 1032, 1040,
        1056, 1088, 1152, 1500, 2000, 2048, 2049, 2064, 2080, 3000, 4096, 4100, 4128, 5001, 8192, 8224};
    for (size_t k = 0; k < strides.size() + 24; k++) {
        uint32_t seed = 1234567u + 97u * uint32_t(k);
        for (int i = 0; i < 32; i++) {
            unsigned line = k < strides.size() ? 0 : draw(seed, 256), word = k < strides.size() ? 0 : draw(seed, 32);
            size_t form = k < strides.size() ? 3 : (k - strides.size()) / 8;
            lanes[i] = form == 3   ? i * strides[k]
                       : form == 0 ? 32 * line
                       : form == 1 ? 32 * i + word
                                   : 32 * line + word;
        }
        cudaMemcpy(at, lanes, sizeof lanes, cudaMemcpyHostToDevice);
        for (int time = 0; time < 2; time++)
            load<<<1, 1024>>>(words, at, 0, 64, sink);
        for (int i = 0; i < 32; i++)
            std::printf("%d%c", lanes[i], i < 31 ? ' ' : '\n');
    }
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
