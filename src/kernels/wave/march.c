/* The march for each instruction set: one text, compiled for vectors of 16, 8 and 4 floats. */
#include "kernels/wave/march.h"

#include <string.h>

#include "kernels/wave/vectors.h"

/* `line` holds the rows y - 2 … y + 1 of one plane, so that a row is loaded once.
 * Sums are short chains of multiply-adds, which leaves the adders and the multipliers about the same work. */
#define DEFINE_MARCH(suffix, attributes, LENGTH, multiply_add, pass_by)                                                \
    DEFINE_VECTOR(suffix, LENGTH)                                                                                      \
    struct line_##suffix {                                                                                             \
        vector_##suffix far, near, here, next;                                                                         \
    };                                                                                                                 \
    struct weights_##suffix {                                                                                          \
        vector_##suffix centre, near, far;                                                                             \
    };                                                                                                                 \
    attributes FOR_EACH_SET vector_##suffix load_##suffix(const float *from)                                           \
    {                                                                                                                  \
        return *(const loose_##suffix *)(const void *)from;                                                            \
    }                                                                                                                  \
    attributes FOR_EACH_SET struct line_##suffix begin_##suffix(const float *cell)                                     \
    {                                                                                                                  \
        const size_t row = (size_t)MARCH_PLANES * LENGTH;                                                              \
        return (struct line_##suffix){load_##suffix(cell), load_##suffix(cell + row), load_##suffix(cell + 2 * row),   \
                                      load_##suffix(cell + 3 * row)};                                                  \
    }                                                                                                                  \
    attributes FOR_EACH_SET vector_##suffix point_##suffix(                                                            \
        const struct line_##suffix *line, vector_##suffix last, vector_##suffix left, vector_##suffix right,           \
        vector_##suffix near_z, vector_##suffix far_z, vector_##suffix before, const struct weights_##suffix *weights) \
    {                                                                                                                  \
        vector_##suffix here = line->here;                                                                             \
        vector_##suffix near_x = SHIFT(LENGTH, left, here, LENGTH - 1) + SHIFT(LENGTH, here, right, 1);                \
        vector_##suffix far_x = SHIFT(LENGTH, left, here, LENGTH - 2) + SHIFT(LENGTH, here, right, 2);                 \
        vector_##suffix near = multiply_add(weights->centre, here, -before), far = far_x * weights->far;               \
        near = multiply_add(weights->near, near_x, near);                                                              \
        near = multiply_add(weights->near, line->near + line->next, near);                                             \
        far = multiply_add(weights->far, line->far + last, far);                                                       \
        near = multiply_add(weights->near, near_z, near);                                                              \
        far = multiply_add(weights->far, far_z, far);                                                                  \
        return near + far;                                                                                             \
    }                                                                                                                  \
    attributes FOR_EACH_SET void put_##suffix(float *to, vector_##suffix value, bool stream)                           \
    {                                                                                                                  \
        if (stream)                                                                                                    \
            pass_by(to, value);                                                                                        \
        else                                                                                                           \
            *(loose_##suffix *)(void *)to = value;                                                                     \
    }                                                                                                                  \
    attributes FOR_EACH_SET void walk_##suffix(const struct wave_march m, struct wave_row_weights w, bool stream)      \
    {                                                                                                                  \
        const size_t row = (size_t)MARCH_PLANES * LENGTH;                                                              \
        struct weights_##suffix weights = {{0}, {0}, {0}};                                                             \
        weights.centre += w.centre, weights.near += w.near, weights.far += w.far;                                      \
        struct line_##suffix a = begin_##suffix(m.here), b = begin_##suffix(m.here + LENGTH);                          \
        const float *before = m.before[0], *below = m.below + 2 * row, *above = m.above + 2 * row;                     \
        const float *left = m.left + 2 * row, *right = m.right + 2 * row, *here = m.here + 4 * row;                    \
        ptrdiff_t before_b = m.before[1] - m.before[0], next_b = m.next[1] - m.next[0];                                \
        float *next = m.next[0];                                                                                       \
        for (size_t at = 0; at < m.rows * row; at += row) {                                                            \
            for (size_t i = 0; i < m.fetches; i++)                                                                     \
                __builtin_prefetch(m.fetch[i] + at * sizeof(float) / MARCH_PLANES, 0, 2);                              \
            vector_##suffix z1 = load_##suffix(below + at + LENGTH), z4 = load_##suffix(above + at);                   \
            vector_##suffix last = load_##suffix(here + at);                                                           \
            vector_##suffix next_a =                                                                                   \
                point_##suffix(&a, last, load_##suffix(left + at), load_##suffix(right + at), z1 + b.here,             \
                               load_##suffix(below + at) + z4, load_##suffix(before), &weights);                       \
            vector_##suffix here_a = a.here;                                                                           \
            a = (struct line_##suffix){a.near, a.here, a.next, last};                                                  \
            last = load_##suffix(here + at + LENGTH);                                                                  \
            vector_##suffix next_b_value = point_##suffix(                                                             \
                &b, last, load_##suffix(left + at + LENGTH), load_##suffix(right + at + LENGTH), here_a + z4,          \
                z1 + load_##suffix(above + at + LENGTH), load_##suffix(before + before_b), &weights);                  \
            b = (struct line_##suffix){b.near, b.here, b.next, last};                                                  \
            put_##suffix(next, next_a, stream);                                                                        \
            put_##suffix(next + next_b, next_b_value, stream);                                                         \
            before += m.before_stride;                                                                                 \
            next += m.next_stride;                                                                                     \
        }                                                                                                              \
    }                                                                                                                  \
    attributes static void march_##suffix(const struct wave_march *march, const struct wave_row_weights *weights)      \
    {                                                                                                                  \
        march->stream ? walk_##suffix(*march, *weights, true) : walk_##suffix(*march, *weights, false);                \
    }                                                                                                                  \
    attributes static void spread_##suffix(const float *row, size_t count, float *cells, size_t stride)                \
    {                                                                                                                  \
        for (size_t i = 0; i < count; i++)                                                                             \
            *(loose_##suffix *)(void *)(cells + i * stride) = load_##suffix(row + i * LENGTH);                         \
    }                                                                                                                  \
    static const struct wave_march_functions functions_##suffix = {LENGTH, march_##suffix, spread_##suffix};

#if defined(__x86_64__)
DEFINE_MARCH(avx512, __attribute__((target("avx512f"))), 16, _mm512_fmadd_ps, _mm512_stream_ps)
DEFINE_MARCH(avx2, __attribute__((target("avx2,fma"))), 8, _mm256_fmadd_ps, _mm256_stream_ps)
DEFINE_MARCH(base, , 4, TWO_ROUNDINGS, _mm_stream_ps)

const struct wave_march_functions *wave_march_vectors(enum cpu_isa isa)
{
    return isa == CPU_ISA_AVX512 ? &functions_avx512 : isa == CPU_ISA_AVX2 ? &functions_avx2 : &functions_base;
}
#else
/* Elsewhere (NEON) vectors of four, and stores like any other. */
DEFINE_MARCH(base, , 4, TWO_ROUNDINGS, PLAIN_STORE)

const struct wave_march_functions *wave_march_vectors(enum cpu_isa isa)
{
    (void)isa;
    return &functions_base;
}
#endif
