/* Tiles of 6 × 16 floats or 6 × 8 doubles: 12 of the 16 registers are sums, two have a row of B's panel. */
#include "kernels/matmul/packed.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET __attribute__((target("avx2,fma")))
#define VECTORS 2
#define DEPTH 384

/* Masks of the first lanes. */
#define FIRST_4(count) _mm_cmpgt_epi32(_mm_set1_epi32((int)(count)), _mm_setr_epi32(0, 1, 2, 3))
#define FIRST_8(count) _mm256_cmpgt_epi32(_mm256_set1_epi32((int)(count)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))
#define FIRST_4_WIDE(count) _mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)(count)), _mm256_setr_epi64x(0, 1, 2, 3))
#define LOAD_SOME_FLOATS(p, count) _mm_maskload_ps(p, FIRST_4(count))
#define LOAD_SOME_DOUBLES(p, count) _mm256_maskload_pd(p, FIRST_4_WIDE(count))

/* ---- registers of half the size, for small products of few columns --------------------------------------------- */

#define VECTOR_BYTES 16
#define ROWS 4
#define STEPS 2
#define DIRECT_ONLY
#define TURNED 4

#define NAME(x) x##_half_float
#define ELEMENT float
#define LOAD_SOME LOAD_SOME_FLOATS
#define BROADCAST _mm_set1_ps
#define FMA _mm_fmadd_ps
#include "kernels/matmul/packed_tiles.h"
#undef NAME
#undef ELEMENT
#undef LOAD_SOME
#undef BROADCAST
#undef FMA

#define NAME(x) x##_half_double
#define ELEMENT double
#define LOAD_SOME LOAD_SOME_DOUBLES
#define BROADCAST _mm_set1_pd
#define FMA _mm_fmadd_pd
#include "kernels/matmul/packed_tiles.h"
#undef NAME
#undef ELEMENT
#undef LOAD_SOME
#undef BROADCAST
#undef FMA

#undef VECTOR_BYTES
#undef ROWS
#undef STEPS
#undef DIRECT_ONLY
#undef TURNED

/* ---- whole registers ------------------------------------------------------------------------------------------- */

#define VECTOR_BYTES 32
#define ROWS 6
#define STEPS 4
#define REST __m256i

#define LEVEL packed_avx2_float
#define NAME(x) x##_float
#define HALF(x) x##_half_float
#define JOIN(low, high) _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(low)), _mm_loadu_ps(high), 1)
#define ELEMENT float
#define LOAD_SOME LOAD_SOME_FLOATS
#define TURNED 8
#define BROADCAST _mm256_set1_ps
#define FMA _mm256_fmadd_ps
#define REST_OF(count) _mm256_cmpgt_epi32(_mm256_set1_epi32((int)(count)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))
#define REST_LOAD _mm256_maskload_ps
#include "kernels/matmul/packed_tiles.h"
#undef LEVEL
#undef NAME
#undef HALF
#undef ELEMENT
#undef LOAD_SOME
#undef TURNED
#undef BROADCAST
#undef FMA
#undef REST_OF
#undef REST_LOAD
#undef JOIN

#define LEVEL packed_avx2_double
#define NAME(x) x##_double
#define HALF(x) x##_half_double
#define ELEMENT double
#define LOAD_SOME LOAD_SOME_DOUBLES
#define TURNED 4
#define BROADCAST _mm256_set1_pd
#define FMA _mm256_fmadd_pd
#define REST_OF FIRST_4_WIDE
#define REST_LOAD _mm256_maskload_pd
#include "kernels/matmul/packed_tiles.h"
#endif
