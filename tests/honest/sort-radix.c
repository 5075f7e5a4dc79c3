/* Radix sort on all cores, with a buffer that grows and is kept from call to call. */
#include <omp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint32_t *buffer;
static long room;

static uint32_t key_of(uint32_t bits)
{
    return bits ^ (bits >> 31 ? 0xffffffffu : 0x80000000u);
}

static uint32_t bits_of(uint32_t key)
{
    return key ^ (key >> 31 ? 0x80000000u : 0xffffffffu);
}

static void pass(const uint32_t *from, uint32_t *to, long n, int shift)
{
    static long counts[64][256];
    int threads = 1;
#pragma omp parallel num_threads(omp_get_max_threads() < 64 ? omp_get_max_threads() : 64)
    {
        int me = omp_get_thread_num();
        long *count = counts[me];
        memset(count, 0, sizeof counts[0]);
#pragma omp single
        threads = omp_get_num_threads();
        long begin = n * me / threads, end = n * (me + 1) / threads;
        for (long i = begin; i < end; i++)
            count[from[i] >> shift & 255]++;
#pragma omp barrier
#pragma omp single
        {
            long place = 0;
            for (int digit = 0; digit < 256; digit++)
                for (int t = 0; t < threads; t++) {
                    long size = counts[t][digit];
                    counts[t][digit] = place;
                    place += size;
                }
        }
        for (long i = begin; i < end; i++)
            to[count[from[i] >> shift & 255]++] = from[i];
    }
}

void sort(float *data, long n)
{
    uint32_t *bits = (uint32_t *)data;
    if (n > room) {
        free(buffer);
        buffer = malloc((size_t)n * sizeof *buffer);
        room = n;
    }
    for (long i = 0; i < n; i++)
        bits[i] = key_of(bits[i]);
    for (int shift = 0; shift < 32; shift += 16) {
        pass(bits, buffer, n, shift);
        pass(buffer, bits, n, shift + 8);
    }
    for (long i = 0; i < n; i++)
        bits[i] = bits_of(bits[i]);
}
