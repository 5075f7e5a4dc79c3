/* wave_pair for each instruction set: one text, compiled for vectors of 16, 8 and 4 floats. */
#include "kernels/wave/pair.h"

#include <stdint.h>
#include <string.h>

#include "kernels/wave/vectors.h"

/* Fetches vector x of the first `count` rows that will be needed soon. */
FOR_EACH_SET void fetch(const struct wave_pair *pair, size_t x, int count)
{
    if (count >= WAVE_PAIR_SOON / 2) {
        __builtin_prefetch(pair->soon[0] + x, 0, 2);
        __builtin_prefetch(pair->soon[1] + x, 0, 2);
        __builtin_prefetch(pair->soon[2] + x, 0, 2);
        __builtin_prefetch(pair->soon[3] + x, 0, 2);
    }
    if (count == WAVE_PAIR_SOON) {
        __builtin_prefetch(pair->soon[4] + x, 0, 2);
        __builtin_prefetch(pair->soon[5] + x, 0, 2);
        __builtin_prefetch(pair->soon[6] + x, 0, 2);
        __builtin_prefetch(pair->soon[7] + x, 0, 2);
    }
}

/* Stores past the caches have to be aligned. */
FOR_EACH_SET bool streams(const struct wave_pair *pair, size_t vector)
{
    uintptr_t places =
        (uintptr_t)pair->next[0] | (uintptr_t)pair->next[1] | (uintptr_t)pair->next_stride * sizeof(float);
    return pair->stream && places % vector == 0;
}

/* Defines the functions of a set, as row_vectors.c does (LENGTH, multiply_add, pass_by). `put` makes a vector of a row
 * from vectors of its neighbours, the sums of those along y and z at distances 1 and 2; `one` and `two` make vector x
 * of one or two rows of both planes, where `right` is the place of the vector after it. With two rows of two planes a
 * vector takes 6 loads instead of 10. */
#define DEFINE_PAIR(suffix, attributes, LENGTH, multiply_add, pass_by)                                                 \
    DEFINE_VECTOR(suffix, LENGTH)                                                                                      \
    struct by_##suffix {                                                                                               \
        vector_##suffix centre, near, far;                                                                             \
        bool stream;                                                                                                   \
    };                                                                                                                 \
    struct along_##suffix {                                                                                            \
        vector_##suffix left, here;                                                                                    \
    };                                                                                                                 \
    attributes FOR_EACH_SET vector_##suffix load_##suffix(const float *from)                                           \
    {                                                                                                                  \
        return *(const loose_##suffix *)(const void *)from;                                                            \
    }                                                                                                                  \
    attributes FOR_EACH_SET void put_##suffix(                                                                         \
        float *next, const float *before, struct along_##suffix *along, vector_##suffix right, vector_##suffix near_y, \
        vector_##suffix far_y, vector_##suffix near_z, vector_##suffix far_z, const struct by_##suffix *by)            \
    {                                                                                                                  \
        vector_##suffix left = along->left, here = along->here;                                                        \
        vector_##suffix near_x = SHIFT(LENGTH, left, here, LENGTH - 1) + SHIFT(LENGTH, here, right, 1);                \
        vector_##suffix far_x = SHIFT(LENGTH, left, here, LENGTH - 2) + SHIFT(LENGTH, here, right, 2);                 \
        vector_##suffix near = multiply_add(by->centre, here, -load_##suffix(before)), far = far_x * by->far;          \
        near = multiply_add(by->near, near_x, near);                                                                   \
        near = multiply_add(by->near, near_y, near);                                                                   \
        far = multiply_add(by->far, far_y, far);                                                                       \
        near = multiply_add(by->near, near_z, near);                                                                   \
        far = multiply_add(by->far, far_z, far);                                                                       \
        if (by->stream)                                                                                                \
            pass_by(next, near + far);                                                                                 \
        else                                                                                                           \
            *(loose_##suffix *)(void *)next = near + far;                                                              \
        along->left = here;                                                                                            \
        along->here = right;                                                                                           \
    }                                                                                                                  \
    attributes FOR_EACH_SET void one_##suffix(const struct wave_pair *p, struct along_##suffix along[4], size_t x,     \
                                              size_t right, const struct by_##suffix *by)                              \
    {                                                                                                                  \
        const float *a = p->here[0] + x, *b = p->here[1] + x;                                                          \
        ptrdiff_t row = p->stride;                                                                                     \
        vector_##suffix here_a = along[0].here, here_b = along[1].here;                                                \
        vector_##suffix below = load_##suffix(p->below[1] + x), above = load_##suffix(p->above[0] + x);                \
        put_##suffix(p->next[0] + x, p->before[0] + x, &along[0], load_##suffix(p->here[0] + right),                   \
                     load_##suffix(a - row) + load_##suffix(a + row),                                                  \
                     load_##suffix(a - 2 * row) + load_##suffix(a + 2 * row), below + here_b,                          \
                     load_##suffix(p->below[0] + x) + above, by);                                                      \
        put_##suffix(p->next[1] + x, p->before[1] + x, &along[1], load_##suffix(p->here[1] + right),                   \
                     load_##suffix(b - row) + load_##suffix(b + row),                                                  \
                     load_##suffix(b - 2 * row) + load_##suffix(b + 2 * row), here_a + above,                          \
                     below + load_##suffix(p->above[1] + x), by);                                                      \
    }                                                                                                                  \
    attributes FOR_EACH_SET void two_##suffix(const struct wave_pair *p, struct along_##suffix along[4], size_t x,     \
                                              size_t right, const struct by_##suffix *by)                              \
    {                                                                                                                  \
        const float *a = p->here[0] + x, *b = p->here[1] + x, *below = p->below[0] + x, *above = p->above[1] + x;      \
        ptrdiff_t row = p->stride;                                                                                     \
        vector_##suffix a0 = along[0].here, b0 = along[1].here, a1 = along[2].here, b1 = along[3].here;                \
        vector_##suffix below0 = load_##suffix(p->below[1] + x), below1 = load_##suffix(p->below[1] + x + row);        \
        vector_##suffix above0 = load_##suffix(p->above[0] + x), above1 = load_##suffix(p->above[0] + x + row);        \
        vector_##suffix under = load_##suffix(a - row), over = load_##suffix(a + 2 * row);                             \
        put_##suffix(p->next[0] + x, p->before[0] + x, &along[0], load_##suffix(p->here[0] + right), under + a1,       \
                     load_##suffix(a - 2 * row) + over, below0 + b0, load_##suffix(below) + above0, by);               \
        put_##suffix(p->next[0] + p->next_stride + x, p->before[0] + p->before_stride + x, &along[2],                  \
                     load_##suffix(p->here[0] + row + right), a0 + over, under + load_##suffix(a + 3 * row),           \
                     below1 + b1, load_##suffix(below + row) + above1, by);                                            \
        under = load_##suffix(b - row), over = load_##suffix(b + 2 * row);                                             \
        put_##suffix(p->next[1] + x, p->before[1] + x, &along[1], load_##suffix(p->here[1] + right), under + b1,       \
                     load_##suffix(b - 2 * row) + over, a0 + above0, below0 + load_##suffix(above), by);               \
        put_##suffix(p->next[1] + p->next_stride + x, p->before[1] + p->before_stride + x, &along[3],                  \
                     load_##suffix(p->here[1] + row + right), b0 + over, under + load_##suffix(b + 3 * row),           \
                     a1 + above1, below1 + load_##suffix(above + row), by);                                            \
    }                                                                                                                  \
    attributes FOR_EACH_SET void walk_##suffix(const struct wave_pair *given, const struct wave_row_weights *weights,  \
                                               bool two, bool stream, int soon)                                        \
    {                                                                                                                  \
        struct wave_pair p = *given;                                                                                   \
        struct by_##suffix by = {.stream = stream};                                                                    \
        by.centre += weights->centre, by.near += weights->near, by.far += weights->far;                                \
        size_t last = p.nx - LENGTH, x = 0;                                                                            \
        struct along_##suffix along[4];                                                                                \
        along[0] = (struct along_##suffix){load_##suffix(p.here[0] + last), load_##suffix(p.here[0])};                 \
        along[1] = (struct along_##suffix){load_##suffix(p.here[1] + last), load_##suffix(p.here[1])};                 \
        if (two) {                                                                                                     \
            const float *a = p.here[0] + p.stride, *b = p.here[1] + p.stride;                                          \
            along[2] = (struct along_##suffix){load_##suffix(a + last), load_##suffix(a)};                             \
            along[3] = (struct along_##suffix){load_##suffix(b + last), load_##suffix(b)};                             \
        }                                                                                                              \
        for (; x < last; x += LENGTH) {                                                                                \
            fetch(&p, x, soon);                                                                                        \
            if (two)                                                                                                   \
                two_##suffix(&p, along, x, x + LENGTH, &by);                                                           \
            else                                                                                                       \
                one_##suffix(&p, along, x, x + LENGTH, &by);                                                           \
        }                                                                                                              \
        fetch(&p, x, soon);                                                                                            \
        if (two)                                                                                                       \
            two_##suffix(&p, along, x, 0, &by);                                                                        \
        else                                                                                                           \
            one_##suffix(&p, along, x, 0, &by);                                                                        \
    }                                                                                                                  \
    attributes FOR_EACH_SET void choose_##suffix(const struct wave_pair *pair, const struct wave_row_weights *weights, \
                                                 bool two, bool stream)                                                \
    {                                                                                                                  \
        if (pair->soon_count == 0)                                                                                     \
            walk_##suffix(pair, weights, two, stream, 0);                                                              \
        else if (pair->soon_count < WAVE_PAIR_SOON)                                                                    \
            walk_##suffix(pair, weights, two, stream, WAVE_PAIR_SOON / 2);                                             \
        else                                                                                                           \
            walk_##suffix(pair, weights, two, stream, WAVE_PAIR_SOON);                                                 \
    }                                                                                                                  \
    attributes static void pair_one_##suffix(const struct wave_pair *pair, const struct wave_row_weights *weights)     \
    {                                                                                                                  \
        if (streams(pair, sizeof(vector_##suffix)))                                                                    \
            choose_##suffix(pair, weights, false, true);                                                               \
        else                                                                                                           \
            choose_##suffix(pair, weights, false, false);                                                              \
    }                                                                                                                  \
    attributes static void pair_two_##suffix(const struct wave_pair *pair, const struct wave_row_weights *weights)     \
    {                                                                                                                  \
        if (streams(pair, sizeof(vector_##suffix)))                                                                    \
            choose_##suffix(pair, weights, true, true);                                                                \
        else                                                                                                           \
            choose_##suffix(pair, weights, true, false);                                                               \
    }

#if defined(__x86_64__)
DEFINE_PAIR(avx512, __attribute__((target("avx512f"))), 16, _mm512_fmadd_ps, _mm512_stream_ps)
DEFINE_PAIR(avx2, __attribute__((target("avx2,fma"))), 8, _mm256_fmadd_ps, _mm256_stream_ps)

struct wave_pair_functions wave_pair_vectors(enum cpu_isa isa)
{
    if (isa == CPU_ISA_AVX512)
        return (struct wave_pair_functions){pair_one_avx512, pair_two_avx512, 16};
    if (isa == CPU_ISA_AVX2)
        return (struct wave_pair_functions){pair_one_avx2, pair_two_avx2, 8};
    return (struct wave_pair_functions){.one = NULL};
}
#else
struct wave_pair_functions wave_pair_vectors(enum cpu_isa isa)
{
    (void)isa;
    return (struct wave_pair_functions){.one = NULL};
}
#endif
