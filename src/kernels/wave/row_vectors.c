/* wave_row for each instruction set: one text, compiled for vectors of 16, 8 and 4 floats. */
#include <stdint.h>

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
 *
 * Points that make no whole vector are rounded as those in vectors: a point's bits do not depend on its place in the
 * row, so a field may be divided along x. `fuse` is multiply_add of one point. */
#define DEFINE_ROW(suffix, attributes, LENGTH, multiply_add, fuse, pass_by)                                           \
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
        /* begin put */                                                                                               \
        vector_##suffix next =                                                                                        \
            point_##suffix(&row->by, left, here, right, load_##suffix(row->before + x),                               \
                           pair_##suffix(row->near[0], row->near[1], x), pair_##suffix(row->far[0], row->far[1], x),  \
                           pair_##suffix(row->near[2], row->near[3], x), pair_##suffix(row->far[2], row->far[3], x)); \
        if (stream)                                                                                                   \
            pass_by(row->next + x, next);                                                                             \
        else                                                                                                          \
            *(loose_##suffix *)(void *)(row->next + x) = next;                                                        \
        /* end put */                                                                                                 \
    }                                                                                                                 \
    attributes FOR_EACH_SET float one_##suffix(const struct wave_row *row, const struct wave_row_weights *by,         \
                                               float near_x, float far_x, size_t x)                                   \
    {                                                                                                                 \
        float near = fuse(by->centre, row->here[x], -row->before[x]), far = far_x * by->far;                          \
        near = fuse(by->near, near_x, near);                                                                          \
        near = fuse(by->near, row->near[0][x] + row->near[1][x], near);                                               \
        far = fuse(by->far, row->far[0][x] + row->far[1][x], far);                                                    \
        near = fuse(by->near, row->near[2][x] + row->near[3][x], near);                                               \
        far = fuse(by->far, row->far[2][x] + row->far[3][x], far);                                                    \
        return near + far;                                                                                            \
    }                                                                                                                 \
    attributes FOR_EACH_SET float end_##suffix(const struct wave_row *row, const struct wave_row_weights *by,         \
                                               size_t x)                                                              \
    {                                                                                                                 \
        float near_x, far_x;                                                                                          \
        wave_row_along(row, x, &near_x, &far_x);                                                                      \
        return one_##suffix(row, by, near_x, far_x, x);                                                               \
    }                                                                                                                 \
    attributes FOR_EACH_SET void rest_##suffix(const struct wave_row *given, const struct wave_row_weights *weights,  \
                                               size_t x)                                                              \
    {                                                                                                                 \
        const struct wave_row row = *given;                                                                           \
        const struct wave_row_weights by = *weights;                                                                  \
        const float *here = row.here;                                                                                 \
        float *next = row.next;                                                                                       \
        size_t nx = row.nx, last = nx < (size_t)2 * WAVE_REACH ? 0 : nx - WAVE_REACH;                                 \
        for (; x < nx && x < WAVE_REACH; x++)                                                                         \
            next[x] = end_##suffix(&row, &by, x);                                                                     \
        _Pragma("omp simd") for (size_t i = x; i < last; i++) next[i] =                                               \
            one_##suffix(&row, &by, here[i - 1] + here[i + 1], here[i - 2] + here[i + 2], i);                         \
        for (x = x < last ? last : x; x < nx; x++)                                                                    \
            next[x] = end_##suffix(&row, &by, x);                                                                     \
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
        rest_##suffix(given, weights, x);                                                                             \
    }                                                                                                                 \
    attributes static void row_##suffix(const struct wave_row *row, const struct wave_row_weights *weights)           \
    {                                                                                                                 \
        if (row->nx < (size_t)2 * LENGTH)                                                                             \
            rest_##suffix(row, weights, 0);                                                                           \
        else if (row->stream && (uintptr_t)row->next % sizeof(vector_##suffix) == 0)                                  \
            walk_##suffix(row, weights, true);                                                                        \
        else                                                                                                          \
            walk_##suffix(row, weights, false);                                                                       \
    }

#if defined(__x86_64__)
DEFINE_ROW(avx512, __attribute__((target("avx512f"))), 16, _mm512_fmadd_ps, __builtin_fmaf, _mm512_stream_ps)
DEFINE_ROW(avx2, __attribute__((target("avx2,fma"))), 8, _mm256_fmadd_ps, __builtin_fmaf, _mm256_stream_ps)
DEFINE_ROW(base, , 4, TWO_ROUNDINGS, TWO_ROUNDINGS, _mm_stream_ps)

wave_row_function *wave_row_vectors(enum cpu_isa isa)
{
    return isa == CPU_ISA_AVX512 ? row_avx512 : isa == CPU_ISA_AVX2 ? row_avx2 : row_base;
}
#else
/* Elsewhere (NEON) vectors of four, and stores like any other. */
DEFINE_ROW(base, , 4, TWO_ROUNDINGS, TWO_ROUNDINGS, PLAIN_STORE)

wave_row_function *wave_row_vectors(enum cpu_isa isa)
{
    (void)isa;
    return row_base;
}
#endif
