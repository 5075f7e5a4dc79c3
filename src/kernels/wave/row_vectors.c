/* wave_row for each instruction set: one text, compiled for vectors of 16, 8 and 4 floats. */
#include <stdint.h>
#include <string.h>

#include "kernels/wave/row.h"

#define FOR_EACH_SET static inline __attribute__((always_inline))
#define AHEAD_FLOATS 256 /* a fetch this far ahead is there in time */

/* Defines the row's function of a set: LENGTH floats make a `vector`; `loose` is one of any alignment; `pass_by` stores
 * one past the caches. The ends of the row have neighbours at its other end: their vectors are loaded from a copy that
 * has those beside them. */
#define DEFINE_ROW(suffix, attributes, LENGTH, pass_by)                                                            \
    typedef float vector_##suffix __attribute__((vector_size(LENGTH * sizeof(float))));                            \
    typedef float loose_##suffix __attribute__((vector_size(LENGTH * sizeof(float)), aligned(4), may_alias));      \
    attributes FOR_EACH_SET void put_##suffix(const struct wave_row *row, const struct wave_row_weights *weights,  \
                                              const float *line, size_t x, bool stream)                            \
    {                                                                                                              \
        const loose_##suffix *l1 = (const void *)(line - 1), *r1 = (const void *)(line + 1);                       \
        const loose_##suffix *l2 = (const void *)(line - 2), *r2 = (const void *)(line + 2);                       \
        vector_##suffix near = *l1 + *r1, far = *l2 + *r2;                                                         \
        for (int i = 0; i < 4; i++) {                                                                              \
            near += *(const loose_##suffix *)(const void *)(row->near[i] + x);                                     \
            far += *(const loose_##suffix *)(const void *)(row->far[i] + x);                                       \
        }                                                                                                          \
        vector_##suffix here = *(const loose_##suffix *)(const void *)line;                                        \
        vector_##suffix before = *(const loose_##suffix *)(const void *)(row->before + x);                         \
        vector_##suffix next = weights->centre * here - before + (weights->near * near + weights->far * far);      \
        if (stream)                                                                                                \
            pass_by(row->next + x, next);                                                                          \
        else                                                                                                       \
            *(loose_##suffix *)(void *)(row->next + x) = next;                                                     \
    }                                                                                                              \
    attributes FOR_EACH_SET void walk_##suffix(const struct wave_row *row, const struct wave_row_weights *weights, \
                                               bool stream)                                                        \
    {                                                                                                              \
        size_t nx = row->nx, x = LENGTH;                                                                           \
        float copy[2 * LENGTH + 2 * WAVE_REACH];                                                                   \
        memcpy(copy, row->here + nx - WAVE_REACH, WAVE_REACH * sizeof *copy);                                      \
        memcpy(copy + WAVE_REACH, row->here, (LENGTH + WAVE_REACH) * sizeof *copy);                                \
        put_##suffix(row, weights, copy + WAVE_REACH, 0, stream);                                                  \
        for (; x + LENGTH + WAVE_REACH <= nx; x += LENGTH) {                                                       \
            __builtin_prefetch(row->far[3] + x + AHEAD_FLOATS, 0, 2);                                              \
            __builtin_prefetch(row->before + x + AHEAD_FLOATS, 0, 2);                                              \
            put_##suffix(row, weights, row->here + x, x, stream);                                                  \
        }                                                                                                          \
        if (x + LENGTH == nx) {                                                                                    \
            memcpy(copy, row->here + x - WAVE_REACH, (LENGTH + WAVE_REACH) * sizeof *copy);                        \
            memcpy(copy + LENGTH + WAVE_REACH, row->here, WAVE_REACH * sizeof *copy);                              \
            put_##suffix(row, weights, copy + WAVE_REACH, x, stream);                                              \
            x = nx;                                                                                                \
        }                                                                                                          \
        for (; x < nx; x++)                                                                                        \
            row->next[x] = wave_row_point(row, weights, x);                                                        \
    }                                                                                                              \
    attributes static void row_##suffix(const struct wave_row *row, const struct wave_row_weights *weights)        \
    {                                                                                                              \
        if (row->nx < 2 * LENGTH)                                                                                  \
            wave_row_plain(row, weights);                                                                          \
        else if (row->stream && (uintptr_t)row->next % sizeof(vector_##suffix) == 0)                               \
            walk_##suffix(row, weights, true);                                                                     \
        else                                                                                                       \
            walk_##suffix(row, weights, false);                                                                    \
    }

#if defined(__x86_64__)
#include <immintrin.h>

DEFINE_ROW(avx512, __attribute__((target("avx512f"))), 16, _mm512_stream_ps)
DEFINE_ROW(avx2, __attribute__((target("avx2"))), 8, _mm256_stream_ps)
DEFINE_ROW(base, , 4, _mm_stream_ps)

wave_row_function *wave_row_vectors(enum cpu_isa isa)
{
    return isa == CPU_ISA_AVX512 ? row_avx512 : isa == CPU_ISA_AVX2 ? row_avx2 : row_base;
}
#else
/* Elsewhere (NEON) vectors of four, and stores like any other. */
#define STORE(address, value) memcpy(address, &(value), sizeof(value))
DEFINE_ROW(base, , 4, STORE)

wave_row_function *wave_row_vectors(enum cpu_isa isa)
{
    (void)isa;
    return row_base;
}
#endif
