/* The inner loop of cpu_streams: four lines of each array at a time. One array that is read while others are written is
 * fetched 3 KiB ahead, as the copy does (copy_part.c tells what was tried); where two are read, or none is written, the
 * processor's own prefetching is better.
 *
 * Measured on two cores of an AMD EPYC (Zen 4), arrays of 128 MiB on large pages, medians of interleaved rounds, GB/s,
 * 3 KiB ahead and without, on two threads (on one):
 *   one read                     28.2 (22.1)  30.8 (24.8)
 *   one read, one written        46.8 (41.3)  44.1 (34.8)
 *   one read, four written       34.1 (32.6)  33.7 (31.9)
 *   two read                     24.9 (20.8)  30.0 (26.4)
 *   two read, one written        36.9 (27.1)  38.4 (31.9)
 * Eight lines at a time are no better. */
#include "backends/cpu/streams.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define LINE ((size_t)64)
#define STEP (4 * LINE)
#define AHEAD 3072

/* `lines` lines of each array from byte i on. The counts are constants where it is inlined, and the words stay in
 * registers: a loop that is busy with itself has fewer lines on their way. */
#define DEFINE_STREAMS(suffix, instructions, vector, zero, load, exclusive_or, store)                              \
    __attribute__((target(instructions), always_inline)) static inline vector step_##suffix(                       \
        const char *const *sources, int read_count, char *const *targets, int write_count, size_t i, size_t bytes) \
    {                                                                                                              \
        vector words[STEP / sizeof(vector)], all = zero();                                                         \
        size_t count = bytes / sizeof(vector);                                                                     \
        if (read_count == 1 && write_count > 0)                                                                    \
            for (size_t at = 0; at < bytes; at += LINE)                                                            \
                _mm_prefetch(sources[0] + i + at + AHEAD, _MM_HINT_NTA);                                           \
        _Pragma("GCC unroll 16") for (size_t k = 0; k < count; k++)                                                \
        {                                                                                                          \
            words[k] = zero();                                                                                     \
            _Pragma("GCC unroll 2") for (int r = 0; r < read_count; r++) words[k] =                                \
                exclusive_or(words[k], load((const void *)(sources[r] + i + k * sizeof(vector))));                 \
            all = exclusive_or(all, words[k]);                                                                     \
        }                                                                                                          \
        for (int w = 0; w < write_count; w++)                                                                      \
            _Pragma("GCC unroll 16") for (size_t k = 0; k < count; k++)                                            \
                store((void *)(targets[w] + i + k * sizeof(vector)), words[k]);                                    \
        return all;                                                                                                \
    }                                                                                                              \
    __attribute__((target(instructions), always_inline)) static inline uint64_t walk_##suffix(                     \
        const char *const *sources, int read_count, char *const *targets, int write_count, size_t from, size_t to) \
    {                                                                                                              \
        const char *from_here[CPU_STREAMS_MAX];                                                                    \
        char *to_here[CPU_STREAMS_MAX];                                                                            \
        for (int r = 0; r < read_count; r++)                                                                       \
            from_here[r] = sources[r];                                                                             \
        for (int w = 0; w < write_count; w++)                                                                      \
            to_here[w] = targets[w];                                                                               \
        vector all = zero();                                                                                       \
        size_t i = from;                                                                                           \
        for (; i + STEP <= to; i += STEP)                                                                          \
            all = exclusive_or(all, step_##suffix(from_here, read_count, to_here, write_count, i, STEP));          \
        for (; i < to; i += LINE)                                                                                  \
            all = exclusive_or(all, step_##suffix(from_here, read_count, to_here, write_count, i, LINE));          \
        _mm_sfence();                                                                                              \
        uint64_t parts[sizeof(vector) / 8], result = 0;                                                            \
        __builtin_memcpy(parts, &all, sizeof parts);                                                               \
        for (size_t k = 0; k < sizeof(vector) / 8; k++)                                                            \
            result ^= parts[k];                                                                                    \
        return result;                                                                                             \
    }                                                                                                              \
    __attribute__((target(instructions))) static uint64_t streams_##suffix(                                        \
        const char *const *sources, int read_count, char *const *targets, int write_count, size_t from, size_t to) \
    {                                                                                                              \
        if (read_count == 1 && write_count == 0)                                                                   \
            return walk_##suffix(sources, 1, targets, 0, from, to);                                                \
        if (read_count == 2 && write_count == 0)                                                                   \
            return walk_##suffix(sources, 2, targets, 0, from, to);                                                \
        if (read_count == 2 && write_count == 1)                                                                   \
            return walk_##suffix(sources, 2, targets, 1, from, to);                                                \
        return walk_##suffix(sources, read_count, targets, write_count, from, to);                                 \
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
