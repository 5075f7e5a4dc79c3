/* wave_row for each instruction set: one text, compiled for vectors of 16, 8 and 4 floats. */
#include <stdint.h>
#include <string.h>

#include "kernels/wave/row.h"
#include "kernels/wave/vectors.h"

#define AHEAD_FLOATS 1024 /* a fetch into the second-level cache this far ahead is there in time */

/* Defines the row's function of a set: LENGTH floats make a `vector`; `loose` is one of any alignment; `pass_by` stores
 * one past the caches. Neighbours along x are put together from the vectors to the left and right, which are loaded
 * anyway: loads that cross a cache line cost twice. Rows and weights come by value: a vector's store might change
 * anything that a pointer leads to, and eight addresses would be loaded again for each. */
#define DEFINE_ROW(suffix, attributes, LENGTH, multiply_add, pass_by)                                              \
    DEFINE_VECTOR(suffix, LENGTH)                                                                                  \
    attributes FOR_EACH_SET void put_##suffix(struct wave_row row, struct wave_row_weights weights,                \
                                              vector_##suffix left, vector_##suffix here, vector_##suffix right,   \
                                              size_t x, bool stream)                                               \
    {                                                                                                              \
        vector_##suffix near = SHIFT(LENGTH, left, here, LENGTH - 1) + SHIFT(LENGTH, here, right, 1);              \
        vector_##suffix far = SHIFT(LENGTH, left, here, LENGTH - 2) + SHIFT(LENGTH, here, right, 2);               \
        for (int i = 0; i < 4; i++) {                                                                              \
            near += *(const loose_##suffix *)(const void *)(row.near[i] + x);                                      \
            far += *(const loose_##suffix *)(const void *)(row.far[i] + x);                                        \
        }                                                                                                          \
        vector_##suffix before = *(const loose_##suffix *)(const void *)(row.before + x);                          \
        vector_##suffix centre = {0}, by_near = {0}, by_far = {0};                                                 \
        centre += weights.centre, by_near += weights.near, by_far += weights.far;                                  \
        vector_##suffix next =                                                                                     \
            multiply_add(far, by_far, multiply_add(near, by_near, multiply_add(here, centre, -before)));           \
        if (stream)                                                                                                \
            pass_by(row.next + x, next);                                                                           \
        else                                                                                                       \
            *(loose_##suffix *)(void *)(row.next + x) = next;                                                      \
    }                                                                                                              \
    attributes FOR_EACH_SET void walk_##suffix(struct wave_row row, struct wave_row_weights weights, bool stream,  \
                                               bool fetch)                                                         \
    {                                                                                                              \
        size_t nx = row.nx, x = 0;                                                                                 \
        const loose_##suffix *line = (const void *)row.here;                                                       \
        vector_##suffix left = *(const loose_##suffix *)(const void *)(row.here + nx - LENGTH), here = line[0];    \
        for (; x + (size_t)2 * LENGTH <= nx; x += LENGTH) {                                                        \
            if (fetch) {                                                                                           \
                __builtin_prefetch(row.far[3] + x + AHEAD_FLOATS, 0, 2);                                           \
                __builtin_prefetch(row.before + x + AHEAD_FLOATS, 0, 2);                                           \
            }                                                                                                      \
            vector_##suffix right = *(const loose_##suffix *)(const void *)(row.here + x + LENGTH);                \
            put_##suffix(row, weights, left, here, right, x, stream);                                              \
            left = here;                                                                                           \
            here = right;                                                                                          \
        }                                                                                                          \
        if (x + LENGTH == nx) {                                                                                    \
            put_##suffix(row, weights, left, here, line[0], x, stream);                                            \
            x = nx;                                                                                                \
        }                                                                                                          \
        struct wave_row copied = row;                                                                              \
        struct wave_row_weights copied_weights = weights;                                                          \
        for (; x < nx; x++)                                                                                        \
            row.next[x] = wave_row_point(&copied, &copied_weights, x);                                             \
    }                                                                                                              \
    attributes static void row_##suffix(const struct wave_row *row, const struct wave_row_weights *weights)        \
    {                                                                                                              \
        if (row->nx < (size_t)2 * LENGTH)                                                                          \
            wave_row_plain(row, weights);                                                                          \
        else if (row->stream && (uintptr_t)row->next % sizeof(vector_##suffix) == 0)                               \
            row->fetch ? walk_##suffix(*row, *weights, true, true) : walk_##suffix(*row, *weights, true, false);   \
        else                                                                                                       \
            row->fetch ? walk_##suffix(*row, *weights, false, true) : walk_##suffix(*row, *weights, false, false); \
    }

#if defined(__x86_64__)
#include <immintrin.h>

DEFINE_ROW(avx512, __attribute__((target("avx512f"))), 16, _mm512_fmadd_ps, _mm512_stream_ps)
DEFINE_ROW(avx2, __attribute__((target("avx2,fma"))), 8, _mm256_fmadd_ps, _mm256_stream_ps)
DEFINE_ROW(base, , 4, TWO_ROUNDINGS, _mm_stream_ps)

wave_row_function *wave_row_vectors(enum cpu_isa isa)
{
    return isa == CPU_ISA_AVX512 ? row_avx512 : isa == CPU_ISA_AVX2 ? row_avx2 : row_base;
}
#else
/* Elsewhere (NEON) vectors of four, and stores like any other. */
DEFINE_ROW(base, , 4, TWO_ROUNDINGS, PLAIN_STORE)

wave_row_function *wave_row_vectors(enum cpu_isa isa)
{
    (void)isa;
    return row_base;
}
#endif
