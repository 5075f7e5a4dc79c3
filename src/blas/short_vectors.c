/* Products of short vectors whose elements follow one another. OpenBLAS 0.3.21 adds up what its loop of 32 elements of
 * a dot product leaves over one by one, and looks at threads and memory before each gemv; here masks take the rest. */
#include "blas/small.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET __attribute__((target("avx2,fma")))
#define INLINE inline __attribute__((always_inline)) /* so that sizes and scalars are in registers */
#define FEW 4                                        /* are sooner multiplied than masked */

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

/* The sums of four registers' lanes. */
TARGET static inline __m128 add_four_float(__m256 a, __m256 b, __m256 c, __m256 d)
{
    const __m256 sums = _mm256_hadd_ps(_mm256_hadd_ps(a, b), _mm256_hadd_ps(c, d));
    return _mm_add_ps(_mm256_castps256_ps128(sums), _mm256_extractf128_ps(sums, 1));
}

TARGET static inline __m256d add_four_double(__m256d a, __m256d b, __m256d c, __m256d d)
{
    const __m256d ab = _mm256_hadd_pd(a, b), cd = _mm256_hadd_pd(c, d);
    return _mm256_add_pd(_mm256_permute2f128_pd(ab, cd, 0x20), _mm256_permute2f128_pd(ab, cd, 0x31));
}

#define REAL float
#define NAME(x) x##_float
#define VECTOR __m256
#define MASK __m256i
#define LANES 8
#define OF(x) _mm256_##x##_ps
#define FOUR __m128
#define OF_FOUR(x) _mm_##x##_ps
#define FIRST(count) _mm256_cmpgt_epi32(_mm256_set1_epi32((int)(count)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))
#define AS_VECTOR _mm256_castsi256_ps
#include "blas/short_vectors.h"
#undef REAL
#undef NAME
#undef VECTOR
#undef LANES
#undef OF
#undef FOUR
#undef OF_FOUR
#undef FIRST
#undef AS_VECTOR

#define REAL double
#define NAME(x) x##_double
#define VECTOR __m256d
#define LANES 4
#define OF(x) _mm256_##x##_pd
#define FOUR __m256d
#define OF_FOUR(x) _mm256_##x##_pd
#define FIRST(count) _mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)(count)), _mm256_setr_epi64x(0, 1, 2, 3))
#define AS_VECTOR _mm256_castsi256_pd
#include "blas/short_vectors.h"
#else
/* Not called: BLAS_SHORT is not set. */
#define DEFINE(REAL)                                                                                \
    REAL blas_short_dot_##REAL(const REAL *x, const REAL *y, size_t count)                          \
    {                                                                                               \
        (void)x, (void)y, (void)count;                                                              \
        return 0;                                                                                   \
    }                                                                                               \
    void blas_dots_of_lines_##REAL(BLAS_OF_LINES(REAL))                                             \
    {                                                                                               \
        (void)lines, (void)length, (void)pitch, (void)alpha, (void)beta, (void)a, (void)x, (void)y; \
    }                                                                                               \
    void blas_sum_of_lines_##REAL(BLAS_OF_LINES(REAL))                                              \
    {                                                                                               \
        (void)lines, (void)length, (void)pitch, (void)alpha, (void)beta, (void)a, (void)x, (void)y; \
    }
DEFINE(float)
DEFINE(double)
#endif
