/* wave_pair for each instruction set: one text, compiled for vectors of 16, 8 and 4 floats. */
#include "kernels/wave/pair.h"

#include <stdint.h>

#include "kernels/wave/stencil.h"

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

/* Prefetches data from memory a second time, `ahead` floats before its use, into L1: the processor drops some of the
 * prefetches into L2. */
FOR_EACH_SET void fetch_near(const struct wave_pair *pair, size_t x, size_t ahead)
{
    __builtin_prefetch(pair->above[0] + x + ahead, 0, 3);
    __builtin_prefetch(pair->above[1] + x + ahead, 0, 3);
    __builtin_prefetch(pair->before[0] + x + ahead, 0, 3);
    __builtin_prefetch(pair->before[1] + x + ahead, 0, 3);
}

/* Non-temporal stores require alignment. */
FOR_EACH_SET bool streams(const struct wave_pair *pair, size_t vector)
{
    uintptr_t places =
        (uintptr_t)pair->next[0] | (uintptr_t)pair->next[1] | (uintptr_t)pair->next_stride * sizeof(float);
    return pair->stream && places % vector == 0;
}

/* Where the functions for two rows make all steps but the first, one row alone comes from memory. */
#define NEAR_FLOATS 320

/* Defines the functions of a set, as row_vectors.c does. `one` and `two` make vector x of one or two rows of both
 * planes, where `right` is the place of the vector after it: 8 and 6 loads a vector, where one row alone takes 10. */
#define DEFINE_PAIR(suffix, attributes, LENGTH, multiply_add, pass_by, NEAR)                                           \
    DEFINE_STENCIL(suffix, attributes, LENGTH, multiply_add)                                                           \
    struct along_##suffix {                                                                                            \
        vector_##suffix left, here;                                                                                    \
    };                                                                                                                 \
    attributes FOR_EACH_SET void put_##suffix(float *next, const float *before, struct along_##suffix *along,          \
                                              vector_##suffix right, vector_##suffix near_y, vector_##suffix far_y,    \
                                              vector_##suffix near_z, vector_##suffix far_z,                           \
                                              const struct by_##suffix *by, bool stream)                               \
    {                                                                                                                  \
        vector_##suffix made =                                                                                         \
            point_##suffix(by, along->left, along->here, right, load_##suffix(before), near_y, far_y, near_z, far_z);  \
        if (stream)                                                                                                    \
            pass_by(next, made);                                                                                       \
        else                                                                                                           \
            *(loose_##suffix *)(void *)next = made;                                                                    \
        along->left = along->here;                                                                                     \
        along->here = right;                                                                                           \
    }                                                                                                                  \
    attributes FOR_EACH_SET void one_##suffix(const struct wave_pair *p, struct along_##suffix along[4], size_t x,     \
                                              size_t right, const struct by_##suffix *by, bool stream)                 \
    {                                                                                                                  \
        const float *a = p->here[0] + x, *b = p->here[1] + x;                                                          \
        ptrdiff_t row = p->stride;                                                                                     \
        if (NEAR > 0)                                                                                                  \
            fetch_near(p, x, NEAR);                                                                                    \
        vector_##suffix here_a = along[0].here, here_b = along[1].here;                                                \
        vector_##suffix below = load_##suffix(p->below[1] + x), above = load_##suffix(p->above[0] + x);                \
        put_##suffix(p->next[0] + x, p->before[0] + x, &along[0], load_##suffix(p->here[0] + right),                   \
                     load_##suffix(a - row) + load_##suffix(a + row),                                                  \
                     load_##suffix(a - 2 * row) + load_##suffix(a + 2 * row), below + here_b,                          \
                     load_##suffix(p->below[0] + x) + above, by, stream);                                              \
        put_##suffix(p->next[1] + x, p->before[1] + x, &along[1], load_##suffix(p->here[1] + right),                   \
                     load_##suffix(b - row) + load_##suffix(b + row),                                                  \
                     load_##suffix(b - 2 * row) + load_##suffix(b + 2 * row), here_a + above,                          \
                     below + load_##suffix(p->above[1] + x), by, stream);                                              \
    }                                                                                                                  \
    attributes FOR_EACH_SET void two_##suffix(const struct wave_pair *p, struct along_##suffix along[4], size_t x,     \
                                              size_t right, const struct by_##suffix *by, bool stream)                 \
    {                                                                                                                  \
        const float *a = p->here[0] + x, *b = p->here[1] + x, *below = p->below[0] + x, *above = p->above[1] + x;      \
        ptrdiff_t row = p->stride;                                                                                     \
        vector_##suffix a0 = along[0].here, b0 = along[1].here, a1 = along[2].here, b1 = along[3].here;                \
        vector_##suffix below0 = load_##suffix(p->below[1] + x), below1 = load_##suffix(p->below[1] + x + row);        \
        vector_##suffix above0 = load_##suffix(p->above[0] + x), above1 = load_##suffix(p->above[0] + x + row);        \
        vector_##suffix under = load_##suffix(a - row), over = load_##suffix(a + 2 * row);                             \
        put_##suffix(p->next[0] + x, p->before[0] + x, &along[0], load_##suffix(p->here[0] + right), under + a1,       \
                     load_##suffix(a - 2 * row) + over, below0 + b0, load_##suffix(below) + above0, by, stream);       \
        put_##suffix(p->next[0] + p->next_stride + x, p->before[0] + p->before_stride + x, &along[2],                  \
                     load_##suffix(p->here[0] + row + right), a0 + over, under + load_##suffix(a + 3 * row),           \
                     below1 + b1, load_##suffix(below + row) + above1, by, stream);                                    \
        under = load_##suffix(b - row), over = load_##suffix(b + 2 * row);                                             \
        put_##suffix(p->next[1] + x, p->before[1] + x, &along[1], load_##suffix(p->here[1] + right), under + b1,       \
                     load_##suffix(b - 2 * row) + over, a0 + above0, below0 + load_##suffix(above), by, stream);       \
        put_##suffix(p->next[1] + p->next_stride + x, p->before[1] + p->before_stride + x, &along[3],                  \
                     load_##suffix(p->here[1] + row + right), b0 + over, under + load_##suffix(b + 3 * row),           \
                     a1 + above1, below1 + load_##suffix(above + row), by, stream);                                    \
    }                                                                                                                  \
    attributes FOR_EACH_SET void walk_##suffix(const struct wave_pair *given, const struct wave_row_weights *weights,  \
                                               bool two, bool stream, int soon)                                        \
    {                                                                                                                  \
        struct wave_pair p = *given;                                                                                   \
        struct by_##suffix by = by_##suffix(weights);                                                                  \
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
                two_##suffix(&p, along, x, x + LENGTH, &by, stream);                                                   \
            else                                                                                                       \
                one_##suffix(&p, along, x, x + LENGTH, &by, stream);                                                   \
        }                                                                                                              \
        fetch(&p, x, soon);                                                                                            \
        if (two)                                                                                                       \
            two_##suffix(&p, along, x, 0, &by, stream);                                                                \
        else                                                                                                           \
            one_##suffix(&p, along, x, 0, &by, stream);                                                                \
    }                                                                                                                  \
    attributes FOR_EACH_SET void choose_##suffix(const struct wave_pair *pair, const struct wave_row_weights *weights, \
                                                 bool two)                                                             \
    {                                                                                                                  \
        bool stream = streams(pair, sizeof(vector_##suffix));                                                          \
        int soon = pair->soon_count;                                                                                   \
        if (stream && soon == 0)                                                                                       \
            walk_##suffix(pair, weights, two, true, 0);                                                                \
        else if (stream && soon < WAVE_PAIR_SOON)                                                                      \
            walk_##suffix(pair, weights, two, true, WAVE_PAIR_SOON / 2);                                               \
        else if (stream)                                                                                               \
            walk_##suffix(pair, weights, two, true, WAVE_PAIR_SOON);                                                   \
        else if (soon == 0)                                                                                            \
            walk_##suffix(pair, weights, two, false, 0);                                                               \
        else if (soon < WAVE_PAIR_SOON)                                                                                \
            walk_##suffix(pair, weights, two, false, WAVE_PAIR_SOON / 2);                                              \
        else                                                                                                           \
            walk_##suffix(pair, weights, two, false, WAVE_PAIR_SOON);                                                  \
    }                                                                                                                  \
    attributes static void pair_one_##suffix(const struct wave_pair *pair, const struct wave_row_weights *weights)     \
    {                                                                                                                  \
        choose_##suffix(pair, weights, false);                                                                         \
    }

#if defined(__x86_64__)
DEFINE_PAIR(avx512, __attribute__((target("avx512f"))), 16, _mm512_fmadd_ps, _mm512_stream_ps, NEAR_FLOATS)
DEFINE_PAIR(avx2, __attribute__((target("avx2,fma"))), 8, _mm256_fmadd_ps, _mm256_stream_ps, 0)

/* Two rows need more registers than AVX2 has. */
__attribute__((target("avx512f"))) static void pair_two_avx512(const struct wave_pair *pair,
                                                               const struct wave_row_weights *weights)
{
    choose_avx512(pair, weights, true);
}

struct wave_pair_functions wave_pair_vectors(enum cpu_isa isa, size_t nx)
{
    if (isa == CPU_ISA_AVX512 && nx % 16 == 0 && nx >= 32)
        return (struct wave_pair_functions){pair_one_avx512, pair_two_avx512};
    if (isa == CPU_ISA_AVX2 && nx % 8 == 0 && nx >= 16)
        return (struct wave_pair_functions){pair_one_avx2, NULL};
    return (struct wave_pair_functions){NULL, NULL};
}
#else
struct wave_pair_functions wave_pair_vectors(enum cpu_isa isa, size_t nx)
{
    (void)isa, (void)nx;
    return (struct wave_pair_functions){NULL, NULL};
}
#endif
