/* Sums of a block of products with what rounding lost, for each instruction set. */
#include "kernels/dot/exact_part.h"

#include <math.h>

#include "backends/cpu/cpu.h"
#include "kernels/dot/dot.h"

/* sum + value in two doubles, exactly (Knuth's TwoSum), where every rounding error of the products is one more value.
 */
static inline void add_term(double *high, double *low, double product, double error)
{
    const double total = *high + product, part = total - *high;
    *low += ((*high - (total - part)) + (product - part)) + error;
    *high = total;
}

static inline void base_term(enum element_type type, const void *a, const void *b, size_t i, size_t lane,
                             struct dot_lanes *lanes)
{
    const double x = dot_element(type, a, i), y = dot_element(type, b, i);
    const double product = x * y;
    add_term(&lanes->high[lane], &lanes->low[lane], product, type == ELEMENT_F64 ? fma(x, y, -product) : 0);
    lanes->magnitude += fabs(product);
}

static void base_lanes(enum element_type type, const void *a, const void *b, size_t from, size_t to,
                       struct dot_lanes *lanes)
{
    for (size_t i = from; i < to; i++)
        base_term(type, a, b, i, (i - from) % 4, lanes);
}

#if defined(__x86_64__)
#include "kernels/dot/vector_loads.h"

#define SUMS 4 /* vectors, so that additions need not wait for each other */

#define NO_ERROR(zero, fms, x, y, product) zero()
#define ERROR_OF(zero, fms, x, y, product) fms(x, y, product)

/* What is left behind the last whole step goes to the first lanes. */
#define DEFINE_LANES(suffix, instructions, type, element, vector, width, op, load, error_of)                          \
    __attribute__((target(instructions))) static void lanes_##suffix(const element *a, const element *b, size_t from, \
                                                                     size_t to, struct dot_lanes *out)                \
    {                                                                                                                 \
        vector high[SUMS], low[SUMS], magnitude = op##_setzero_pd();                                                  \
        for (int k = 0; k < SUMS; k++)                                                                                \
            high[k] = low[k] = op##_setzero_pd();                                                                     \
        size_t i = from;                                                                                              \
        for (; i + SUMS * (width) <= to; i += SUMS * (width)) {                                                       \
            _Pragma("GCC unroll 4") for (size_t k = 0; k < SUMS; k++)                                                 \
            {                                                                                                         \
                const vector x = load(a + i + k * (width)), y = load(b + i + k * (width));                            \
                const vector product = op##_mul_pd(x, y), total = op##_add_pd(high[k], product);                      \
                const vector part = op##_sub_pd(total, high[k]);                                                      \
                const vector lost =                                                                                   \
                    op##_add_pd(op##_sub_pd(high[k], op##_sub_pd(total, part)), op##_sub_pd(product, part));          \
                const vector error = error_of(op##_setzero_pd, op##_fmsub_pd, x, y, product);                         \
                low[k] = op##_add_pd(low[k], op##_add_pd(lost, error));                                               \
                high[k] = total;                                                                                      \
                magnitude = op##_add_pd(magnitude, op##_max_pd(product, op##_sub_pd(op##_setzero_pd(), product)));    \
            }                                                                                                         \
        }                                                                                                             \
        double magnitudes[width];                                                                                     \
        op##_storeu_pd(magnitudes, magnitude);                                                                        \
        for (size_t k = 0; k < SUMS; k++) {                                                                           \
            op##_storeu_pd(out->high + k * (width), high[k]);                                                         \
            op##_storeu_pd(out->low + k * (width), low[k]);                                                           \
        }                                                                                                             \
        for (size_t k = 0; k < (width); k++)                                                                          \
            out->magnitude += magnitudes[k];                                                                          \
        for (size_t lane = 0; i < to; i++, lane++)                                                                    \
            base_term(type, a, b, i, lane % (SUMS * (width)), out);                                                   \
    }

DEFINE_LANES(avx512_float, "avx512f", ELEMENT_F32, float, __m512d, 8, _mm512, LOAD_512_FLOAT, NO_ERROR)
DEFINE_LANES(avx512_double, "avx512f", ELEMENT_F64, double, __m512d, 8, _mm512, _mm512_loadu_pd, ERROR_OF)
DEFINE_LANES(avx2_float, "avx2,fma", ELEMENT_F32, float, __m256d, 4, _mm256, LOAD_256_FLOAT, NO_ERROR)
DEFINE_LANES(avx2_double, "avx2,fma", ELEMENT_F64, double, __m256d, 4, _mm256, _mm256_loadu_pd, ERROR_OF)
DEFINE_LANES(avx512_f16, "avx512f,f16c", ELEMENT_F16, uint16_t, __m512d, 8, _mm512, LOAD_512_F16, NO_ERROR)
DEFINE_LANES(avx512_bf16, "avx512f", ELEMENT_BF16, uint16_t, __m512d, 8, _mm512, LOAD_512_BF16, NO_ERROR)
DEFINE_LANES(avx2_f16, "avx2,fma,f16c", ELEMENT_F16, uint16_t, __m256d, 4, _mm256, LOAD_256_F16, NO_ERROR)
DEFINE_LANES(avx2_bf16, "avx2,fma", ELEMENT_BF16, uint16_t, __m256d, 4, _mm256, LOAD_256_BF16, NO_ERROR)
#endif

void dot_lanes_of(enum element_type type, const void *a, const void *b, size_t from, size_t to, struct dot_lanes *lanes)
{
    *lanes = (struct dot_lanes){.magnitude = 0};
    switch (cpu_isa()) {
#if defined(__x86_64__)
    case CPU_ISA_AVX512:
        if (type == ELEMENT_F32)
            lanes_avx512_float(a, b, from, to, lanes);
        else if (type == ELEMENT_F64)
            lanes_avx512_double(a, b, from, to, lanes);
        else if (type == ELEMENT_F16)
            lanes_avx512_f16(a, b, from, to, lanes);
        else
            lanes_avx512_bf16(a, b, from, to, lanes);
        return;
    case CPU_ISA_AVX2:
        if (type == ELEMENT_F32)
            lanes_avx2_float(a, b, from, to, lanes);
        else if (type == ELEMENT_F64)
            lanes_avx2_double(a, b, from, to, lanes);
        else if (type == ELEMENT_F16)
            lanes_avx2_f16(a, b, from, to, lanes);
        else
            lanes_avx2_bf16(a, b, from, to, lanes);
        return;
#endif
    default:
        base_lanes(type, a, b, from, to, lanes);
    }
}
