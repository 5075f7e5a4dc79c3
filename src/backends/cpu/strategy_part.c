/* The inner loops of cpu_walk: four lines of each array of each stream in turn. A thread's part is cut into as many
 * equal pieces as there are streams, which are walked side by side: a memory of many banks, or a core that follows few
 * streams at a time, is then kept busier than by one. */
#include <string.h>

#include "backends/cpu/strategy.h"

#define LINE CPU_WALK_LINE
#define STEP CPU_WALK_STEP

/* Keeps a load whose value is not used: the compiler removes none. */
#define KEEP(constraint, word) __asm__ volatile("" : : constraint(word))

/* STEP bytes (or a line) of every array at byte i. The counts are constants where it is inlined, and the words stay in
 * registers: a loop that is busy with itself has fewer lines on their way. */
#define DEFINE_WALK(name, attribute, vector, load, exclusive_or, store, prefetch, fence, keep)                      \
    attribute static inline void name##_step(const struct cpu_walk_part *part, int reads, int writes, size_t i,     \
                                             size_t bytes, size_t ahead)                                            \
    {                                                                                                               \
        vector words[STEP / sizeof(vector)];                                                                        \
        const size_t count = bytes / sizeof(vector);                                                                \
        for (int r = 0; ahead && r < reads; r++)                                                                    \
            for (size_t at = 0; at < bytes; at += LINE)                                                             \
                prefetch(part->sources[r] + i + at + ahead);                                                        \
        _Pragma("GCC unroll 16") for (size_t k = 0; k < count; k++)                                                 \
        {                                                                                                           \
            words[k] = load(part->sources[0] + i + k * sizeof(vector));                                             \
            if (!writes)                                                                                            \
                keep(words[k]);                                                                                     \
            _Pragma("GCC unroll 8") for (int r = 1; r < reads; r++)                                                 \
            {                                                                                                       \
                vector word = load(part->sources[r] + i + k * sizeof(vector));                                      \
                if (!writes)                                                                                        \
                    keep(word);                                                                                     \
                else                                                                                                \
                    words[k] = exclusive_or(words[k], word);                                                        \
            }                                                                                                       \
        }                                                                                                           \
        for (int w = 0; w < writes; w++)                                                                            \
            _Pragma("GCC unroll 16") for (size_t k = 0; k < count; k++)                                             \
                store(part->targets[w] + i + k * sizeof(vector), words[k]);                                         \
    }                                                                                                               \
    attribute static inline void name##_walk(const struct cpu_walk_part *part, int reads, int writes, size_t ahead) \
    {                                                                                                               \
        const size_t streams = (size_t)part->streams, piece = part->bytes / streams / STEP * STEP;                  \
        for (size_t i = 0; i < piece; i += STEP)                                                                    \
            for (size_t s = 0; s < streams; s++)                                                                    \
                name##_step(part, reads, writes, s *piece + i, STEP, ahead);                                        \
        size_t i = piece * streams;                                                                                 \
        for (; i + STEP <= part->bytes; i += STEP)                                                                  \
            name##_step(part, reads, writes, i, STEP, ahead);                                                       \
        for (; i < part->bytes; i += LINE)                                                                          \
            name##_step(part, reads, writes, i, LINE, ahead);                                                       \
        fence();                                                                                                    \
    }                                                                                                               \
    attribute static inline void name##_distance(const struct cpu_walk_part *part, int reads, int writes)           \
    {                                                                                                               \
        if (part->ahead)                                                                                            \
            name##_walk(part, reads, writes, (size_t)part->ahead);                                                  \
        else                                                                                                        \
            name##_walk(part, reads, writes, 0);                                                                    \
    }
#define DEFINE_PART(name, attribute)                                    \
    attribute static void name(const struct cpu_walk_part *part)        \
    {                                                                   \
        if (part->read_count == 1 && part->write_count == 1)            \
            name##_distance(part, 1, 1);                                \
        else if (part->read_count == 1 && part->write_count == 0)       \
            name##_distance(part, 1, 0);                                \
        else if (part->read_count == 2 && part->write_count == 0)       \
            name##_distance(part, 2, 0);                                \
        else if (part->read_count == 2 && part->write_count == 1)       \
            name##_distance(part, 2, 1);                                \
        else if (part->read_count > 0)                                  \
            name##_distance(part, part->read_count, part->write_count); \
        else                                                            \
            name##_fill(part);                                          \
    }

#if defined(__x86_64__)
#include <immintrin.h>

#define PREFETCH(address) _mm_prefetch((const char *)(address), _MM_HINT_NTA)
#define NO_FENCE() ((void)0)
#define KEEP_X(word) KEEP("x", word)
#define KEEP_V(word) KEEP("v", word)
#define LOAD_512(at) _mm512_loadu_si512((const void *)(at))
#define LOAD_256(at) _mm256_loadu_si256((const void *)(at))
#define LOAD_128(at) _mm_loadu_si128((const void *)(at))
#define STORE_512(at, word) _mm512_store_si512((void *)(at), word)
#define STORE_256(at, word) _mm256_store_si256((void *)(at), word)
#define STORE_128(at, word) _mm_store_si128((void *)(at), word)
#define STREAM_512(at, word) _mm512_stream_si512((void *)(at), word)
#define STREAM_256(at, word) _mm256_stream_si256((void *)(at), word)
#define STREAM_128(at, word) _mm_stream_si128((void *)(at), word)
#define INLINE(isa) __attribute__((target(isa), always_inline))
#define ONLY(isa) __attribute__((target(isa)))

/* Nothing is read: zeros are written. */
#define DEFINE_FILL(name, attribute, vector, zero, store, fence)        \
    attribute static void name##_fill(const struct cpu_walk_part *part) \
    {                                                                   \
        const vector word = zero();                                     \
        for (int w = 0; w < part->write_count; w++)                     \
            for (size_t i = 0; i < part->bytes; i += sizeof word)       \
                store(part->targets[w] + i, word);                      \
        fence();                                                        \
    }
#define DEFINE_X86(name, isa, vector, load, exclusive_or, zero, store, fence, keep)          \
    DEFINE_WALK(name, INLINE(isa), vector, load, exclusive_or, store, PREFETCH, fence, keep) \
    DEFINE_FILL(name, ONLY(isa), vector, zero, store, fence)                                 \
    DEFINE_PART(name, ONLY(isa))

DEFINE_X86(avx512, "avx512f", __m512i, LOAD_512, _mm512_xor_si512, _mm512_setzero_si512, STORE_512, NO_FENCE, KEEP_V)
DEFINE_X86(avx512_streaming, "avx512f", __m512i, LOAD_512, _mm512_xor_si512, _mm512_setzero_si512, STREAM_512,
           _mm_sfence, KEEP_V)
DEFINE_X86(avx2, "avx2", __m256i, LOAD_256, _mm256_xor_si256, _mm256_setzero_si256, STORE_256, NO_FENCE, KEEP_X)
DEFINE_X86(avx2_streaming, "avx2", __m256i, LOAD_256, _mm256_xor_si256, _mm256_setzero_si256, STREAM_256, _mm_sfence,
           KEEP_X)
DEFINE_X86(sse2, "sse2", __m128i, LOAD_128, _mm_xor_si128, _mm_setzero_si128, STORE_128, NO_FENCE, KEEP_X)
DEFINE_X86(sse2_streaming, "sse2", __m128i, LOAD_128, _mm_xor_si128, _mm_setzero_si128, STREAM_128, _mm_sfence, KEEP_X)

cpu_walk_function *cpu_walk_part_for(enum cpu_isa isa, bool streaming)
{
    switch (isa) {
    case CPU_ISA_AVX512:
        return streaming ? avx512_streaming : avx512;
    case CPU_ISA_AVX2:
        return streaming ? avx2_streaming : avx2;
    default:
        return streaming ? sse2_streaming : sse2;
    }
}

void cpu_string_move(void *target, const void *source, size_t bytes)
{
    __asm__ volatile("rep movsb" : "+D"(target), "+S"(source), "+c"(bytes) : : "memory");
}

bool cpu_has_string_move(void)
{
    return true;
}
#else
/* Pairs of vectors of 16 bytes: on aarch64 a non-temporal store takes two. */
typedef unsigned char sixteen __attribute__((vector_size(16)));
struct pair {
    sixteen a, b;
};

static inline struct pair load_pair(const char *at)
{
    struct pair pair;
    memcpy(&pair, at, sizeof pair);
    return pair;
}

static inline struct pair xor_pairs(struct pair a, struct pair b)
{
    return (struct pair){a.a ^ b.a, a.b ^ b.b};
}

static inline void store_pair(char *at, struct pair pair)
{
    memcpy(at, &pair, sizeof pair);
}

#if defined(__aarch64__)
static inline void stream_pair(char *at, struct pair pair)
{
    __asm__ volatile("stnp %q1, %q2, [%0]" : : "r"(at), "w"(pair.a), "w"(pair.b) : "memory");
}
#define KEEP_PAIR(pair) (KEEP("w", (pair).a), KEEP("w", (pair).b))
#else
#define stream_pair store_pair
#define KEEP_PAIR(pair) (KEEP("m", (pair).a), KEEP("m", (pair).b))
#endif
#undef KEEP
#define KEEP(constraint, word) ({ __asm__ volatile("" : : constraint(word)); })
#define PREFETCH(address) __builtin_prefetch(address, 0, 0)
#define NO_FENCE() ((void)0)
#define ALWAYS __attribute__((always_inline))

#define DEFINE_FILL(name, store)                                  \
    static void name##_fill(const struct cpu_walk_part *part)     \
    {                                                             \
        const struct pair word = {{0}, {0}};                      \
        for (int w = 0; w < part->write_count; w++)               \
            for (size_t i = 0; i < part->bytes; i += sizeof word) \
                store(part->targets[w] + i, word);                \
    }

DEFINE_WALK(pairs, ALWAYS, struct pair, load_pair, xor_pairs, store_pair, PREFETCH, NO_FENCE, KEEP_PAIR)
DEFINE_FILL(pairs, store_pair)
DEFINE_PART(pairs, )
DEFINE_WALK(pairs_streaming, ALWAYS, struct pair, load_pair, xor_pairs, stream_pair, PREFETCH, NO_FENCE, KEEP_PAIR)
DEFINE_FILL(pairs_streaming, stream_pair)
DEFINE_PART(pairs_streaming, )

cpu_walk_function *cpu_walk_part_for(enum cpu_isa isa, bool streaming)
{
    (void)isa;
    return streaming ? pairs_streaming : pairs;
}

void cpu_string_move(void *target, const void *source, size_t bytes)
{
    memcpy(target, source, bytes);
}

bool cpu_has_string_move(void)
{
    return false;
}
#endif
