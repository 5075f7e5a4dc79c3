/* wave_row for each instruction set: one text, compiled for vectors of 16, 8 and 4 floats. */
#include <stdint.h>
#include <string.h>

#include "kernels/wave/stencil.h"

#define AHEAD_FLOATS ((ptrdiff_t)1024) /* the second fetch is so far ahead */
#define NEAR_FLOATS ((ptrdiff_t)448)   /* and the last one, into the first-level cache */

/* Defines the row's function of a set: LENGTH floats make a `vector`; `loose` is one of any alignment; `pass_by` stores
 * one past the caches. The four neighbours of a kind are written out, as compilers leave a loop over them a loop.
 *
 * The row's addresses are copied first: a vector's store might change anything that a pointer leads to, and they would
 * be loaded again for each.
 *
 * What comes from memory is fetched three times, at last into the first-level cache: of what a processor is asked to
 * fetch into the second-level one it drops a part. And it is fetched for every vector, the last of a row too: with one
 * line in 32 left out a row took more than a fifth longer.
 */
#define DEFINE_ROW(suffix, attributes, LENGTH, multiply_add, pass_by)                                                 \
    DEFINE_STENCIL(suffix, attributes, LENGTH, multiply_add)                                                          \
    struct row_##suffix {                                                                                             \
        const float *before, *here, *near[4], *far[4], *soon[2];                                                      \
        float *next;                                                                                                  \
        struct by_##suffix by;                                                                                        \
    };                                                                                                                \
    attributes FOR_EACH_SET vector_##suffix pair_##suffix(const float *a, const float *b, size_t x)                   \
    {                                                                                                                 \
        return load_##suffix(a + x) + load_##suffix(b + x);                                                           \
    }                                                                                                                 \
    attributes FOR_EACH_SET void put_##suffix(const struct row_##suffix *row, vector_##suffix left,                   \
                                              vector_##suffix here, vector_##suffix right, size_t x, bool stream)     \
    {                                                                                                                 \
        __builtin_prefetch(row->soon[0] + x, 0, 2);                                                                   \
        __builtin_prefetch(row->soon[1] + x, 0, 2);                                                                   \
        __builtin_prefetch(row->far[3] + x + AHEAD_FLOATS, 0, 2);                                                     \
        __builtin_prefetch(row->before + x + AHEAD_FLOATS, 0, 2);                                                     \
        __builtin_prefetch(row->far[3] + x + NEAR_FLOATS, 0, 3);                                                      \
        __builtin_prefetch(row->before + x + NEAR_FLOATS, 0, 3);                                                      \
        vector_##suffix next =                                                                                        \
            point_##suffix(&row->by, left, here, right, load_##suffix(row->before + x),                               \
                           pair_##suffix(row->near[0], row->near[1], x), pair_##suffix(row->far[0], row->far[1], x),  \
                           pair_##suffix(row->near[2], row->near[3], x), pair_##suffix(row->far[2], row->far[3], x)); \
        if (stream)                                                                                                   \
            pass_by(row->next + x, next);                                                                             \
        else                                                                                                          \
            *(loose_##suffix *)(void *)(row->next + x) = next;                                                        \
    }                                                                                                                 \
    attributes FOR_EACH_SET void walk_##suffix(const struct wave_row *given, const struct wave_row_weights *weights,  \
                                               bool stream)                                                           \
    {                                                                                                                 \
        size_t nx = given->nx, x = 0;                                                                                 \
        struct row_##suffix row = {                                                                                   \
            given->before,                                                                                            \
            given->here,                                                                                              \
            {given->near[0], given->near[1], given->near[2], given->near[3]},                                         \
            {given->far[0], given->far[1], given->far[2], given->far[3]},                                             \
            {given->soon[0], given->soon[1]},                                                                         \
            given->next,                                                                                              \
            by_##suffix(weights),                                                                                     \
        };                                                                                                            \
        vector_##suffix left = load_##suffix(row.here + nx - LENGTH), here = load_##suffix(row.here);                 \
        for (; x + (size_t)2 * LENGTH <= nx; x += LENGTH) {                                                           \
            vector_##suffix right = load_##suffix(row.here + x + LENGTH);                                             \
            put_##suffix(&row, left, here, right, x, stream);                                                         \
            left = here;                                                                                              \
            here = right;                                                                                             \
        }                                                                                                             \
        if (x + LENGTH == nx) {                                                                                       \
            put_##suffix(&row, left, here, load_##suffix(row.here), x, stream);                                       \
            x = nx;                                                                                                   \
        }                                                                                                             \
        for (; x < nx; x++)                                                                                           \
            row.next[x] = wave_row_point(given, weights, x);                                                          \
    }                                                                                                                 \
    attributes static void row_##suffix(const struct wave_row *row, const struct wave_row_weights *weights)           \
    {                                                                                                                 \
        if (row->nx < (size_t)2 * LENGTH)                                                                             \
            wave_row_plain(row, weights);                                                                             \
        else if (row->stream && (uintptr_t)row->next % sizeof(vector_##suffix) == 0)                                  \
            walk_##suffix(row, weights, true);                                                                        \
        else                                                                                                          \
            walk_##suffix(row, weights, false);                                                                       \
    }

#if defined(__x86_64__)
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
