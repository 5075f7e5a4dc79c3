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

/* One step takes ACCUMULATORS vectors of doubles from each array; lanes are added in a fixed order at the end. */
#define DEFINE_PART(suffix, instructions, type, element, vector, lanes, zero, load, fma, store)                        \
    __attribute__((target(instructions))) static double part_##suffix(const element *a, const element *b, size_t from, \
                                                                      size_t to)                                       \
    {                                                                                                                  \
        enum { STEP = ACCUMULATORS * (lanes) };                                                                        \
        vector sums[ACCUMULATORS];                                                                                     \
        for (int k = 0; k < ACCUMULATORS; k++)                                                                         \
            sums[k] = zero();                                                                                          \
        size_t i = from;                                                                                               \
        for (; i + STEP <= to; i += STEP) {                                                                            \
            _Pragma("GCC unroll 8") for (size_t k = 0; k < ACCUMULATORS; k++) sums[k] =                                \
                fma(load(a + i + k * (lanes)), load(b + i + k * (lanes)), sums[k]);                                    \
        }                                                                                                              \
        double parts[ACCUMULATORS * (lanes)], sum = 0;                                                                 \
        for (size_t k = 0; k < ACCUMULATORS; k++)                                                                      \
            store(parts + k * (lanes), sums[k]);                                                                       \
        for (int k = 0; k < STEP; k++)                                                                                 \
            sum += parts[k];                                                                                           \
        for (; i < to; i++)                                                                                            \
            sum += element_product(type, a, b, i);                                                                     \
        return sum;                                                                                                    \
    }

DEFINE_PART(avx512_float, "avx512f", ELEMENT_F32, float, __m512d, 8, _mm512_setzero_pd, LOAD_512_FLOAT, _mm512_fmadd_pd,
            _mm512_storeu_pd)
DEFINE_PART(avx512_double, "avx512f", ELEMENT_F64, double, __m512d, 8, _mm512_setzero_pd, _mm512_loadu_pd,
            _mm512_fmadd_pd, _mm512_storeu_pd)
DEFINE_PART(avx2_float, "avx2,fma", ELEMENT_F32, float, __m256d, 4, _mm256_setzero_pd, LOAD_256_FLOAT, _mm256_fmadd_pd,
            _mm256_storeu_pd)
DEFINE_PART(avx2_double, "avx2,fma", ELEMENT_F64, double, __m256d, 4, _mm256_setzero_pd, _mm256_loadu_pd,
            _mm256_fmadd_pd, _mm256_storeu_pd)

#define DEFINE_HALF_PARTS(suffix, element_type, load_512, load_256)                                               \
    DEFINE_PART(avx512_##suffix, "avx512f,f16c", element_type, uint16_t, __m512d, 8, _mm512_setzero_pd, load_512, \
                _mm512_fmadd_pd, _mm512_storeu_pd)                                                                \
    DEFINE_PART(avx2_##suffix, "avx2,fma,f16c", element_type, uint16_t, __m256d, 4, _mm256_setzero_pd, load_256,  \
                _mm256_fmadd_pd, _mm256_storeu_pd)

DEFINE_HALF_PARTS(f16, ELEMENT_F16, LOAD_512_F16, LOAD_256_F16)
DEFINE_HALF_PARTS(bf16, ELEMENT_BF16, LOAD_512_BF16, LOAD_256_BF16)

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
