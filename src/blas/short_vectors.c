/* Products of short vectors whose elements follow one another. OpenBLAS 0.3.21 adds up what its loop of 32 elements of
 * a dot product leaves over one by one, and looks at threads and memory before each gemv; here masks take the rest. On
 * Intel's processors with AVX-512 longer ones take registers of 64 bytes, which are half the loads. */
#include "blas/small.h"

#include "backends/cpu/isa.h"

#if defined(__x86_64__)
#include <immintrin.h>

static bool is_wide; /* set before any of these is called */

#define INLINE inline __attribute__((always_inline)) /* so that sizes and scalars are in registers */
#define FEW 4                                        /* are sooner multiplied than masked */

#define TARGET __attribute__((target("avx2,fma")))
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
#undef TARGET

/* ---- registers of 64 bytes ----------------------------------------------------------------------------------------
 */

#define TARGET __attribute__((target("avx512f,avx512dq,avx512vl,fma")))
#define KIND static
#define MASK unsigned
#define LOAD_SOME(p, mask) OF(maskz_loadu)(mask, p)

#define HALVES(v, of) _mm256_add_p##of(_mm512_castp##of##512_p##of##256(v), HIGH_##of(v))
#define HIGH_s(v) _mm512_extractf32x8_ps(v, 1)
#define HIGH_d(v) _mm512_extractf64x4_pd(v, 1)

TARGET static inline float add_lanes_wide_float(__m512 sum)
{
    return add_lanes_float(HALVES(sum, s));
}

TARGET static inline double add_lanes_wide_double(__m512d sum)
{
    return add_lanes_double(HALVES(sum, d));
}

TARGET static inline __m128 add_four_wide_float(__m512 a, __m512 b, __m512 c, __m512 d)
{
    return add_four_float(HALVES(a, s), HALVES(b, s), HALVES(c, s), HALVES(d, s));
}

TARGET static inline __m256d add_four_wide_double(__m512d a, __m512d b, __m512d c, __m512d d)
{
    return add_four_double(HALVES(a, d), HALVES(b, d), HALVES(c, d), HALVES(d, d));
}

#define REAL float
#define NAME(x) x##_wide_float
#define HAS_MASKS
#define VECTOR __m512
#define LANES (size_t)16
#define OF(x) _mm512_##x##_ps
#define FOUR __m128
#define OF_FOUR(x) _mm_##x##_ps
#define FIRST(count) ((__mmask16)((1u << (count)) - 1))
#include "blas/short_vectors.h"
#undef REAL
#undef NAME
#undef HAS_MASKS
#undef VECTOR
#undef LANES
#undef OF
#undef FOUR
#undef OF_FOUR
#undef FIRST

#define REAL double
#define NAME(x) x##_wide_double
#define HAS_MASKS
#define VECTOR __m512d
#define LANES (size_t)8
#define OF(x) _mm512_##x##_pd
#define FOUR __m256d
#define OF_FOUR(x) _mm256_##x##_pd
#define FIRST(count) ((__mmask8)((1u << (count)) - 1))
#include "blas/short_vectors.h"
#undef REAL
#undef NAME
#undef HAS_MASKS
#undef VECTOR
#undef LANES
#undef OF
#undef FOUR
#undef OF_FOUR
#undef FIRST
#undef TARGET
#undef KIND
#undef MASK
#undef LOAD_SOME

/* ---- registers of 32 bytes ----------------------------------------------------------------------------------------
 */

#define TARGET __attribute__((target("avx2,fma")))
#define KIND
#define MASK __m256i
#define LOAD_SOME(p, mask) OF(maskload)(p, mask)

#define REAL float
#define NAME(x) x##_float
#define WIDER(x) x##_wide_float
#define VECTOR __m256
#define LANES (size_t)8
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
#undef WIDER

#define REAL double
#define NAME(x) x##_double
#define WIDER(x) x##_wide_double
#define VECTOR __m256d
#define LANES (size_t)4
#define OF(x) _mm256_##x##_pd
#define FOUR __m256d
#define OF_FOUR(x) _mm256_##x##_pd
#define FIRST(count) _mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)(count)), _mm256_setr_epi64x(0, 1, 2, 3))
#define AS_VECTOR _mm256_castsi256_pd
#include "blas/short_vectors.h"

bool blas_copies_lines(void)
{
    return is_wide;
}

bool blas_begin_short(void)
{
    is_wide = cpu_isa() == CPU_ISA_AVX512 && cpu_is_intel();
    return cpu_isa() == CPU_ISA_AVX2 || cpu_isa() == CPU_ISA_AVX512;
}
#else
bool blas_copies_lines(void)
{
    return false;
}

bool blas_begin_short(void)
{
    return false;
}

/* Not called. */
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
    }                                                                                               \
    void blas_copy_wide_##REAL(BLAS_COPY_OF_LINES(REAL))                                            \
    {                                                                                               \
        (void)lines, (void)length, (void)lda, (void)ldb, (void)alpha, (void)a, (void)b;             \
    }
DEFINE(float)
DEFINE(double)
#endif
