/* Dot products of short vectors whose elements follow one another. OpenBLAS 0.3.21 adds up what its loop of 32 elements
 * leaves over one by one; here masks take it. */
#include "blas/small.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET __attribute__((target("avx2,fma")))
#define SUMS 4
#define FEW 4 /* are sooner multiplied than masked */

#define FIRST_8(count) _mm256_cmpgt_epi32(_mm256_set1_epi32((int)(count)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))
#define FIRST_4(count) _mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)(count)), _mm256_setr_epi64x(0, 1, 2, 3))

TARGET static inline float add_lanes_float(__m256 sum)
{
    __m128 four = _mm_add_ps(_mm256_castps256_ps128(sum), _mm256_extractf128_ps(sum, 1));
    four = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(four, _mm_movehdup_ps(four)));
}

TARGET static inline double add_lanes_double(__m256d sum)
{
    const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(sum), _mm256_extractf128_pd(sum, 1));
    return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
}

/* At least one element. Zeros behind the last one of both vectors raise no exception flag. */
#define DEFINE(REAL, VECTOR, LANES, SET_ZERO, LOAD, MASKED_LOAD, FIRST, FMA, ADD)                                   \
    TARGET REAL blas_short_dot_##REAL(const REAL *x, const REAL *y, size_t count)                                   \
    {                                                                                                               \
        if (count <= FEW) {                                                                                         \
            REAL sum = x[0] * y[0];                                                                                 \
            for (size_t i = 1; i < count; i++)                                                                      \
                sum += x[i] * y[i];                                                                                 \
            return sum;                                                                                             \
        }                                                                                                           \
        VECTOR sums[SUMS];                                                                                          \
        for (size_t i = 0; i < SUMS; i++)                                                                           \
            sums[i] = SET_ZERO();                                                                                   \
        size_t at = 0;                                                                                              \
        for (; at + SUMS * (LANES) <= count; at += SUMS * (LANES))                                                  \
            _Pragma("GCC unroll 4") for (size_t i = 0; i < SUMS; i++) sums[i] =                                     \
                FMA(LOAD(&x[at + i * (LANES)]), LOAD(&y[at + i * (LANES)]), sums[i]);                               \
        for (; at + (LANES) <= count; at += (LANES))                                                                \
            sums[0] = FMA(LOAD(&x[at]), LOAD(&y[at]), sums[0]);                                                     \
        if (at < count)                                                                                             \
            sums[1] = FMA(MASKED_LOAD(&x[at], FIRST(count - at)), MASKED_LOAD(&y[at], FIRST(count - at)), sums[1]); \
        return add_lanes_##REAL(ADD(ADD(sums[0], sums[1]), ADD(sums[2], sums[3])));                                 \
    }
DEFINE(float, __m256, 8, _mm256_setzero_ps, _mm256_loadu_ps, _mm256_maskload_ps, FIRST_8, _mm256_fmadd_ps,
       _mm256_add_ps)
DEFINE(double, __m256d, 4, _mm256_setzero_pd, _mm256_loadu_pd, _mm256_maskload_pd, FIRST_4, _mm256_fmadd_pd,
       _mm256_add_pd)
#else
/* Not called: BLAS_SHORT is not set. */
#define DEFINE(REAL)                                                       \
    REAL blas_short_dot_##REAL(const REAL *x, const REAL *y, size_t count) \
    {                                                                      \
        REAL sum = 0;                                                      \
        for (size_t i = 0; i < count; i++)                                 \
            sum += x[i] * y[i];                                            \
        return sum;                                                        \
    }
DEFINE(float)
DEFINE(double)
#endif
