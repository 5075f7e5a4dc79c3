/* The inner loop of cpu_streams: four lines of each array at a time, fetched 3 KiB ahead, as the copy does (copy_part.c
 * tells what was tried). */
#include "backends/cpu/streams.h"

#define STEP_LINES 4

#if defined(__x86_64__)
#include <immintrin.h>

#define LINE ((size_t)64)
#define AHEAD 3072

#define DEFINE_STREAMS(suffix, instructions, vector, zero, load, exclusive_or, store)                              \
    __attribute__((target(instructions))) static uint64_t streams_##suffix(                                        \
        const char *const *sources, int read_count, char *const *targets, int write_count, size_t from, size_t to) \
    {                                                                                                              \
        enum { COUNT = STEP_LINES * LINE / sizeof(vector) };                                                       \
        vector all = zero();                                                                                       \
        for (size_t i = from; i < to; i += STEP_LINES * LINE) {                                                    \
            size_t count = to - i < STEP_LINES * LINE ? (to - i) / sizeof(vector) : COUNT;                         \
            vector words[COUNT];                                                                                   \
            for (size_t k = 0; k < COUNT; k++)                                                                     \
                words[k] = zero();                                                                                 \
            for (int r = 0; r < read_count; r++) {                                                                 \
                for (size_t line = 0; line < STEP_LINES * LINE; line += LINE)                                      \
                    _mm_prefetch(sources[r] + i + line + AHEAD, _MM_HINT_NTA);                                     \
                for (size_t k = 0; k < count; k++)                                                                 \
                    words[k] = exclusive_or(words[k], load((const void *)(sources[r] + i + k * sizeof(vector))));  \
            }                                                                                                      \
            for (int w = 0; w < write_count; w++)                                                                  \
                for (size_t k = 0; k < count; k++)                                                                 \
                    store((void *)(targets[w] + i + k * sizeof(vector)), words[k]);                                \
            for (size_t k = 0; k < count; k++)                                                                     \
                all = exclusive_or(all, words[k]);                                                                 \
        }                                                                                                          \
        _mm_sfence();                                                                                              \
        uint64_t parts[sizeof(vector) / 8], result = 0;                                                            \
        __builtin_memcpy(parts, &all, sizeof parts);                                                               \
        for (size_t k = 0; k < sizeof(vector) / 8; k++)                                                            \
            result ^= parts[k];                                                                                    \
        return result;                                                                                             \
    }

DEFINE_STREAMS(avx512, "avx512f", __m512i, _mm512_setzero_si512, _mm512_load_si512, _mm512_xor_si512,
               _mm512_stream_si512)
DEFINE_STREAMS(avx512_plain, "avx512f", __m512i, _mm512_setzero_si512, _mm512_load_si512, _mm512_xor_si512,
               _mm512_store_si512)
DEFINE_STREAMS(avx2, "avx2", __m256i, _mm256_setzero_si256, _mm256_load_si256, _mm256_xor_si256, _mm256_stream_si256)
DEFINE_STREAMS(avx2_plain, "avx2", __m256i, _mm256_setzero_si256, _mm256_load_si256, _mm256_xor_si256,
               _mm256_store_si256)
DEFINE_STREAMS(sse2, "sse2", __m128i, _mm_setzero_si128, _mm_load_si128, _mm_xor_si128, _mm_stream_si128)
DEFINE_STREAMS(sse2_plain, "sse2", __m128i, _mm_setzero_si128, _mm_load_si128, _mm_xor_si128, _mm_store_si128)

streams_part *streams_part_plain(enum cpu_isa isa)
{
    return isa == CPU_ISA_AVX512 ? streams_avx512_plain : isa == CPU_ISA_AVX2 ? streams_avx2_plain : streams_sse2_plain;
}

streams_part *streams_part_streaming(enum cpu_isa isa)
{
    return isa == CPU_ISA_AVX512 ? streams_avx512 : isa == CPU_ISA_AVX2 ? streams_avx2 : streams_sse2;
}
#else
/* One plain form that the compiler vectorises. */
static uint64_t streams_words(const char *const *sources, int read_count, char *const *targets, int write_count,
                              size_t from, size_t to)
{
    uint64_t all = 0;
    for (size_t i = from; i < to; i += sizeof(uint64_t)) {
        uint64_t word = 0;
        for (int r = 0; r < read_count; r++)
            word ^= *(const uint64_t *)(const void *)(sources[r] + i);
        for (int w = 0; w < write_count; w++)
            *(uint64_t *)(void *)(targets[w] + i) = word;
        all ^= word;
    }
    return all;
}

streams_part *streams_part_plain(enum cpu_isa isa)
{
    (void)isa;
    return streams_words;
}

streams_part *streams_part_streaming(enum cpu_isa isa)
{
    (void)isa;
    return streams_words;
}
#endif
