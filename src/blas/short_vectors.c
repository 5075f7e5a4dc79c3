/* Products of short vectors whose elements follow one another. OpenBLAS 0.3.21 adds up what its loop of 32 elements of
 * a dot product leaves over one by one, and looks at threads and memory before each gemv; here masks take the rest. */
#include "blas/small.h"

#include "backends/cpu/isa.h"

struct blas_vectors_float blas_vectors_float;
struct blas_vectors_double blas_vectors_double;

#if defined(__x86_64__)
#include <immintrin.h>

#define INLINE inline __attribute__((always_inline)) /* so that sizes and scalars are in registers */
#define FEW 4                                        /* are sooner multiplied than masked */

/* ---- registers of 32 bytes ----------------------------------------------------------------------------------------
 */

#define TARGET __attribute__((target("avx2,fma")))

TARGET static inline float add_lanes_avx2_float(__m256 sum)
{
    __m128 four = _mm_add_ps(_mm256_castps256_ps128(sum), _mm256_extractf128_ps(sum, 1));
    four = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(four, _mm_movehdup_ps(four)));
}

TARGET static inline double add_lanes_avx2_double(__m256d sum)
{
    const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(sum), _mm256_extractf128_pd(sum, 1));
    return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
}

/* The sums of four registers' lanes. */
TARGET static inline __m128 add_four_avx2_float(__m256 a, __m256 b, __m256 c, __m256 d)
{
    const __m256 sums = _mm256_hadd_ps(_mm256_hadd_ps(a, b), _mm256_hadd_ps(c, d));
    return _mm_add_ps(_mm256_castps256_ps128(sums), _mm256_extractf128_ps(sums, 1));
}

TARGET static inline __m256d add_four_avx2_double(__m256d a, __m256d b, __m256d c, __m256d d)
{
    const __m256d ab = _mm256_hadd_pd(a, b), cd = _mm256_hadd_pd(c, d);
    return _mm256_add_pd(_mm256_permute2f128_pd(ab, cd, 0x20), _mm256_permute2f128_pd(ab, cd, 0x31));
}

#define MASK __m256i
#define LOAD_SOME(p, mask) OF(maskload)(p, mask)
#define REAL float
#define NAME(x) x##_avx2_float
#define VECTORS blas_vectors_float
#define VECTOR __m256
#define LANES 8
#define OF(x) _mm256_##x##_ps
#define FOUR __m128
#define OF_FOUR(x) _mm_##x##_ps
#define FIRST(count) _mm256_cmpgt_epi32(_mm256_set1_epi32((int)(count)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))
#define ONLY(mask, vector) _mm256_and_ps(vector, _mm256_castsi256_ps(mask))
#include "blas/short_vectors.h"
#undef REAL
#undef NAME
#undef VECTORS
#undef VECTOR
#undef LANES
#undef OF
#undef FOUR
#undef OF_FOUR
#undef FIRST
#undef ONLY

#define REAL double
#define NAME(x) x##_avx2_double
#define VECTORS blas_vectors_double
#define VECTOR __m256d
#define LANES 4
#define OF(x) _mm256_##x##_pd
#define FOUR __m256d
#define OF_FOUR(x) _mm256_##x##_pd
#define FIRST(count) _mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)(count)), _mm256_setr_epi64x(0, 1, 2, 3))
#define ONLY(mask, vector) _mm256_and_pd(vector, _mm256_castsi256_pd(mask))
#include "blas/short_vectors.h"
#undef REAL
#undef NAME
#undef VECTORS
#undef VECTOR
#undef LANES
#undef OF
#undef FOUR
#undef OF_FOUR
#undef FIRST
#undef ONLY
#undef MASK
#undef LOAD_SOME
#undef TARGET

/* ---- registers of 64 bytes: half the loads on Intel's processors --------------------------------------------------
 */

#define TARGET __attribute__((target("avx512f,avx512dq,avx512vl,fma")))

TARGET static inline float add_lanes_avx512_float(__m512 sum)
{
    return add_lanes_avx2_float(_mm256_add_ps(_mm512_castps512_ps256(sum), _mm512_extractf32x8_ps(sum, 1)));
}

TARGET static inline double add_lanes_avx512_double(__m512d sum)
{
    return add_lanes_avx2_double(_mm256_add_pd(_mm512_castpd512_pd256(sum), _mm512_extractf64x4_pd(sum, 1)));
}

#define HALVES_FLOAT(v) _mm256_add_ps(_mm512_castps512_ps256(v), _mm512_extractf32x8_ps(v, 1))
TARGET static inline __m128 add_four_avx512_float(__m512 a, __m512 b, __m512 c, __m512 d)
{
    return add_four_avx2_float(HALVES_FLOAT(a), HALVES_FLOAT(b), HALVES_FLOAT(c), HALVES_FLOAT(d));
}

#define HALVES_DOUBLE(v) _mm256_add_pd(_mm512_castpd512_pd256(v), _mm512_extractf64x4_pd(v, 1))
TARGET static inline __m256d add_four_avx512_double(__m512d a, __m512d b, __m512d c, __m512d d)
{
    return add_four_avx2_double(HALVES_DOUBLE(a), HALVES_DOUBLE(b), HALVES_DOUBLE(c), HALVES_DOUBLE(d));
}

#define MASK unsigned
#define LOAD_SOME(p, mask) OF(maskz_loadu)(mask, p)
#define STORE_SOME(p, mask, vector) OF(mask_storeu)(p, mask, vector)
#define REAL float
#define NAME(x) x##_avx512_float
#define VECTORS blas_vectors_float
#define VECTOR __m512
#define LANES 16
#define OF(x) _mm512_##x##_ps
#define FOUR __m128
#define OF_FOUR(x) _mm_##x##_ps
#define FIRST(count) ((__mmask16)((1u << (count)) - 1))
#define ONLY _mm512_maskz_mov_ps
#include "blas/short_vectors.h"
#undef REAL
#undef NAME
#undef VECTORS
#undef VECTOR
#undef LANES
#undef OF
#undef FOUR
#undef OF_FOUR
#undef FIRST
#undef ONLY

#define REAL double
#define NAME(x) x##_avx512_double
#define VECTORS blas_vectors_double
#define VECTOR __m512d
#define LANES 8
#define OF(x) _mm512_##x##_pd
#define FOUR __m256d
#define OF_FOUR(x) _mm256_##x##_pd
#define FIRST(count) ((__mmask8)((1u << (count)) - 1))
#define ONLY _mm512_maskz_mov_pd
#include "blas/short_vectors.h"
#undef REAL
#undef NAME
#undef VECTORS
#undef VECTOR
#undef LANES
#undef OF
#undef FOUR
#undef OF_FOUR
#undef FIRST
#undef ONLY

bool blas_begin_short(void)
{
    if (cpu_isa() != CPU_ISA_AVX2 && cpu_isa() != CPU_ISA_AVX512)
        return false;
    const bool is_wide = cpu_isa() == CPU_ISA_AVX512 && __builtin_cpu_is("intel");
    blas_vectors_float = is_wide ? vectors_avx512_float : vectors_avx2_float;
    blas_vectors_double = is_wide ? vectors_avx512_double : vectors_avx2_double;
    return true;
}
#else
bool blas_begin_short(void)
{
    return false;
}
#endif
