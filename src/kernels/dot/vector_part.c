/* dot_vector_part for each instruction set: sixteen vectors' worth of loads under way. Nothing is fetched ahead: with
 * two arrays the processor's own prefetching is better (src/backends/cpu/streams_part.c). */
#include "backends/cpu/cpu.h"
#include "kernels/dot/dot.h"

static double element_product(enum element_type type, const void *a, const void *b, size_t i)
{
    return dot_element(type, a, i) * dot_element(type, b, i);
}

/* Without vectors: eight accumulators, which the compiler may put into what vectors there are. */
static double base_part(enum element_type type, const void *a, const void *b, size_t from, size_t to)
{
    double sums[8] = {0};
    size_t i = from;
    /* begin step */
    for (; i + 8 <= to; i += 8)
        for (size_t lane = 0; lane < 8; lane++)
            sums[lane] += element_product(type, a, b, i + lane);
    /* end step */
    for (; i < to; i++)
        sums[0] += element_product(type, a, b, i);
    return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

#if defined(__x86_64__)
#include "kernels/dot/vector_loads.h"

#define ACCUMULATORS 8

/* Adds the products of `count` vectors to as many accumulators, from `first` on, and goes on behind them. */
#define TAKE(count, first, lanes, of, load)                                              \
    {                                                                                    \
        _Pragma("GCC unroll 8") for (size_t k = 0; k < (count); k++) sums[(first) + k] = \
            of(fmadd)(load(a + k * (lanes)), load(b + k * (lanes)), sums[(first) + k]);  \
        left -= (count) * (lanes), a += (count) * (lanes), b += (count) * (lanes);       \
    }

/* One step takes ACCUMULATORS vectors of doubles from each array. What is left takes four vectors, two, one, and a last
 * one whose other lanes are 0 · 0. Accumulators and lanes are added in a fixed order, in pairs. */
#define DEFINE_PART(suffix, instructions, element, vector, lanes, of, load, load_some, add_lanes)                      \
    __attribute__((target(instructions))) static double part_##suffix(const element *a, const element *b, size_t from, \
                                                                      size_t to)                                       \
    {                                                                                                                  \
        vector sums[ACCUMULATORS];                                                                                     \
        size_t left = to - from;                                                                                       \
        a += from, b += from;                                                                                          \
        _Pragma("GCC unroll 8") for (size_t k = 0; k < ACCUMULATORS; k++) sums[k] = of(setzero)();                     \
        while (left >= ACCUMULATORS * (lanes))                                                                         \
            TAKE(ACCUMULATORS, 0, lanes, of, load)                                                                     \
        if (left >= 4 * (lanes))                                                                                       \
            TAKE(4, 4, lanes, of, load)                                                                                \
        if (left >= 2 * (lanes))                                                                                       \
            TAKE(2, 2, lanes, of, load)                                                                                \
        if (left >= (lanes))                                                                                           \
            TAKE(1, 1, lanes, of, load)                                                                                \
        if (left > 0)                                                                                                  \
            sums[0] = of(fmadd)(load_some(a, left), load_some(b, left), sums[0]);                                      \
        return add_lanes(of(add)(of(add)(of(add)(sums[0], sums[4]), of(add)(sums[2], sums[6])),                        \
                                 of(add)(of(add)(sums[1], sums[5]), of(add)(sums[3], sums[7]))));                      \
    }

#define DEFINE_PARTS(suffix, also, element, load_512, some_512, load_256, some_256)                        \
    DEFINE_PART(avx512_##suffix, "avx512f,avx512vl" also, element, __m512d, 8, OF_512, load_512, some_512, \
                _mm512_reduce_add_pd)                                                                      \
    DEFINE_PART(avx2_##suffix, "avx2,fma" also, element, __m256d, 4, OF_256, load_256, some_256, add_lanes)
#define OF_512(x) _mm512_##x##_pd
#define OF_256(x) _mm256_##x##_pd

__attribute__((target("avx2,fma"))) static inline double add_lanes(__m256d sums)
{
    const __m128d pair = _mm_add_pd(_mm256_castpd256_pd128(sums), _mm256_extractf128_pd(sums, 1));
    return _mm_cvtsd_f64(_mm_add_sd(pair, _mm_unpackhi_pd(pair, pair)));
}

DEFINE_PARTS(float, "", float, LOAD_512_FLOAT, SOME_512_FLOAT, LOAD_256_FLOAT, SOME_256_FLOAT)
DEFINE_PARTS(double, "", double, _mm512_loadu_pd, SOME_512_DOUBLE, _mm256_loadu_pd, SOME_256_DOUBLE)
DEFINE_PARTS(f16, ",f16c", uint16_t, LOAD_512_F16, SOME_512_F16, LOAD_256_F16, SOME_256_F16)
DEFINE_PARTS(bf16, ",f16c", uint16_t, LOAD_512_BF16, SOME_512_BF16, LOAD_256_BF16, SOME_256_BF16)

double dot_vector_part(enum element_type type, const void *a, const void *b, size_t from, size_t to)
{
    switch (cpu_isa()) {
    case CPU_ISA_AVX512:
        return type == ELEMENT_F32   ? part_avx512_float(a, b, from, to)
               : type == ELEMENT_F64 ? part_avx512_double(a, b, from, to)
               : type == ELEMENT_F16 ? part_avx512_f16(a, b, from, to)
                                     : part_avx512_bf16(a, b, from, to);
    case CPU_ISA_AVX2:
        return type == ELEMENT_F32   ? part_avx2_float(a, b, from, to)
               : type == ELEMENT_F64 ? part_avx2_double(a, b, from, to)
               : type == ELEMENT_F16 ? part_avx2_f16(a, b, from, to)
                                     : part_avx2_bf16(a, b, from, to);
    default:
        return base_part(type, a, b, from, to);
    }
}
#else
double dot_vector_part(enum element_type type, const void *a, const void *b, size_t from, size_t to)
{
    return base_part(type, a, b, from, to);
}
#endif
