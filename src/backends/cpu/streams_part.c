/* The inner loop of cpu_streams: four lines of each array at a time, fetched 3 KiB ahead, as the copy does (copy_part.c
 * tells what was tried). */
#include "backends/cpu/streams.h"

#define STEP_LINES 4

#if defined(__x86_64__)
#include <immintrin.h>

#define LINE ((size_t)64)
#define AHEAD 3072

/* One step of `count` vectors of every array. Called with a constant count, so that the loops over it unroll and the
 * words stay in registers. */
#define DEFINE_STREAMS(suffix, instructions, vector, zero, load, exclusive_or, store)                               \
    __attribute__((target(instructions), always_inline)) static inline vector step_##suffix(                        \
        const char *const *sources, int read_count, char *const *targets, int write_count, size_t at, size_t count) \
    {                                                                                                               \
        vector words[STEP_LINES * LINE / sizeof(vector)], all = zero();                                             \
        _Pragma("GCC unroll 16") for (size_t k = 0; k < count; k++) words[k] = zero();                              \
        for (int r = 0; r < read_count; r++) {                                                                      \
            const char *source = sources[r] + at;                                                                   \
            for (size_t line = 0; line < STEP_LINES * LINE; line += LINE)                                           \
                _mm_prefetch(source + line + AHEAD, _MM_HINT_NTA);                                                  \
            _Pragma("GCC unroll 16") for (size_t k = 0; k < count; k++) words[k] =                                  \
                exclusive_or(words[k], load((const void *)(source + k * sizeof(vector))));                          \
        }                                                                                                           \
        for (int w = 0; w < write_count; w++) {                                                                     \
            char *target = targets[w] + at;                                                                         \
            _Pragma("GCC unroll 16") for (size_t k = 0; k < count; k++)                                             \
                store((void *)(target + k * sizeof(vector)), words[k]);                                             \
        }                                                                                                           \
        _Pragma("GCC unroll 16") for (size_t k = 0; k < count; k++) all = exclusive_or(all, words[k]);              \
        return all;                                                                                                 \
    }                                                                                                               \
    __attribute__((target(instructions))) static uint64_t streams_##suffix(                                         \
        const char *const *sources, int read_count, char *const *targets, int write_count, size_t from, size_t to)  \
    {                                                                                                               \
        enum { COUNT = STEP_LINES * LINE / sizeof(vector), LINE_COUNT = LINE / sizeof(vector) };                    \
        vector all = zero();                                                                                        \
        size_t i = from;                                                                                            \
        for (; to - i >= STEP_LINES * LINE; i += STEP_LINES * LINE)                                                 \
            all = exclusive_or(all, step_##suffix(sources, read_count, targets, write_count, i, COUNT));            \
        for (; i < to; i += LINE)                                                                                   \
            all = exclusive_or(all, step_##suffix(sources, read_count, targets, write_count, i, LINE_COUNT));       \
        _mm_sfence();                                                                                               \
        uint64_t parts[sizeof(vector) / 8], result = 0;                                                             \
        __builtin_memcpy(parts, &all, sizeof parts);                                                                \
        for (size_t k = 0; k < sizeof(vector) / 8; k++)                                                             \
            result ^= parts[k];                                                                                     \
        return result;                                                                                              \
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
