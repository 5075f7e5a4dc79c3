/* Tiles of 14 × 32 floats or 14 × 16 doubles: 28 of the 32 registers are sums, two have a row of B's panel. */
#include "kernels/matmul/packed.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512vl,fma")))
#define VECTOR_BYTES 64
#define ROWS 14
#define VECTORS 2
#define STEPS 4
#define DEPTH 512

/* A register of 16 bytes each of several rows, and its rows' columns in each 16 bytes alike. */
#define QUARTERS_512(ROW)                                                                                             \
    _mm512_mask_broadcast_f32x4(                                                                                      \
        _mm512_mask_broadcast_f32x4(_mm512_mask_broadcast_f32x4(_mm512_broadcast_f32x4(ROW(0)), 0xF0, ROW(1)), 0xF00, \
                                    ROW(2)),                                                                          \
        0xF000, ROW(3))
#define QUARTERS_256(ROW) _mm256_insertf128_ps(_mm256_castps128_ps256(ROW(0)), ROW(1), 1)

#define LEVEL packed_avx512_float
#define NAME(x) x##_float
#define ELEMENT float
#define TURNED 8
#define BROADCAST _mm512_set1_ps
#define FMA _mm512_fmadd_ps
#define OF(size, x) _mm##size##_##x##_ps
#define FIRST_HALF _mm512_castps512_ps256
#define MASK __mmask16
#define LOAD_LINE "vmovups"
#define HALF_MASK __mmask8
#define REPEATED(size, lane) _mm##size##_min_epu32(_mm##size##_set1_epi32((int)(lane)), COUNTED_##size)
#define COUNTED_512 _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#define COUNTED_256 _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)
#define TURN_QUARTERS(size, type, y, x)                                                                     \
    {                                                                                                       \
        const NAME(type) low = OF(size, unpacklo)(x[0], x[1]), next_low = OF(size, unpacklo)(x[2], x[3]);   \
        const NAME(type) high = OF(size, unpackhi)(x[0], x[1]), next_high = OF(size, unpackhi)(x[2], x[3]); \
        y[0] = LOW_PAIRS_##size(low, next_low);                                                             \
        y[1] = HIGH_PAIRS_##size(low, next_low);                                                            \
        y[2] = LOW_PAIRS_##size(high, next_high);                                                           \
        y[3] = HIGH_PAIRS_##size(high, next_high);                                                          \
    }
#define LOW_PAIRS_512(x, y) PAIRS_OF_FLOATS(512, unpacklo, x, y)
#define HIGH_PAIRS_512(x, y) PAIRS_OF_FLOATS(512, unpackhi, x, y)
#define LOW_PAIRS_256(x, y) PAIRS_OF_FLOATS(256, unpacklo, x, y)
#define HIGH_PAIRS_256(x, y) PAIRS_OF_FLOATS(256, unpackhi, x, y)
#define PAIRS_OF_FLOATS(size, unpack, x, y) \
    _mm##size##_castpd_ps(_mm##size##_##unpack##_pd(_mm##size##_castps_pd(x), _mm##size##_castps_pd(y)))
#define QUARTERS(PUT, first, part)                            \
    PUT(first, _mm512_extractf32x4_ps(turned[0], part))       \
    PUT((first) + 1, _mm512_extractf32x4_ps(turned[1], part)) \
    PUT((first) + 2, _mm512_extractf32x4_ps(turned[2], part)) \
    PUT((first) + 3, _mm512_extractf32x4_ps(turned[3], part))
#define PIECES_512(PUT) QUARTERS(PUT, 0, 0) QUARTERS(PUT, 4, 1) QUARTERS(PUT, 8, 2) QUARTERS(PUT, 12, 3)
#define PIECES_256(PUT)                         \
    PUT(0, _mm256_castps256_ps128(turned[0]))   \
    PUT(1, _mm256_castps256_ps128(turned[1]))   \
    PUT(2, _mm256_castps256_ps128(turned[2]))   \
    PUT(3, _mm256_castps256_ps128(turned[3]))   \
    PUT(4, _mm256_extractf128_ps(turned[0], 1)) \
    PUT(5, _mm256_extractf128_ps(turned[1], 1)) \
    PUT(6, _mm256_extractf128_ps(turned[2], 1)) \
    PUT(7, _mm256_extractf128_ps(turned[3], 1))
#define OF_FOUR(x) _mm_##x##_ps
#define NARROW_LEVEL packed_avx2_float
#include "kernels/matmul/packed_tiles.h"
#undef LEVEL
#undef NAME
#undef ELEMENT
#undef TURNED
#undef BROADCAST
#undef FMA
#undef OF
#undef FIRST_HALF
#undef MASK
#undef LOAD_LINE
#undef HALF_MASK
#undef REPEATED
#undef COUNTED_512
#undef COUNTED_256
#undef TURN_QUARTERS
#undef LOW_PAIRS_512
#undef HIGH_PAIRS_512
#undef LOW_PAIRS_256
#undef HIGH_PAIRS_256
#undef PIECES_512
#undef PIECES_256
#undef OF_FOUR
#undef NARROW_LEVEL

#define LEVEL packed_avx512_double
#define NAME(x) x##_double
#define ELEMENT double
#define TURNED 4
#define BROADCAST _mm512_set1_pd
#define FMA _mm512_fmadd_pd
#define OF(size, x) _mm##size##_##x##_pd
#define FIRST_HALF _mm512_castpd512_pd256
#define MASK __mmask8
#define LOAD_LINE "vmovupd"
#define HALF_MASK __mmask8
#define REPEATED(size, lane) _mm##size##_min_epu64(SET_##size((long long)(lane)), COUNTED_##size)
#define SET_512 _mm512_set1_epi64
#define SET_256 _mm256_set1_epi64x
#define COUNTED_512 _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7)
#define COUNTED_256 _mm256_setr_epi64x(0, 1, 2, 3)
#define TURN_QUARTERS(size, type, y, x)        \
    {                                          \
        y[0] = OF(size, unpacklo)(x[0], x[1]); \
        y[1] = OF(size, unpackhi)(x[0], x[1]); \
    }
#define LOW_PAIRS_512(x, y) __builtin_shufflevector(x, y, 0, 1, 8, 9, 2, 3, 10, 11)
#define HIGH_PAIRS_512(x, y) __builtin_shufflevector(x, y, 4, 5, 12, 13, 6, 7, 14, 15)
#define LOW_PAIRS_256(x, y) __builtin_shufflevector(x, y, 0, 1, 4, 5)
#define HIGH_PAIRS_256(x, y) __builtin_shufflevector(x, y, 2, 3, 6, 7)
#define PIECES_512(PUT)                          \
    PUT(0, _mm512_castpd512_pd256(turned[0]))    \
    PUT(1, _mm512_castpd512_pd256(turned[2]))    \
    PUT(2, _mm512_extractf64x4_pd(turned[0], 1)) \
    PUT(3, _mm512_extractf64x4_pd(turned[2], 1)) \
    PUT(4, _mm512_castpd512_pd256(turned[1]))    \
    PUT(5, _mm512_castpd512_pd256(turned[3]))    \
    PUT(6, _mm512_extractf64x4_pd(turned[1], 1)) \
    PUT(7, _mm512_extractf64x4_pd(turned[3], 1))
#define PIECES_256(PUT) PUT(0, turned[0]) PUT(1, turned[2]) PUT(2, turned[1]) PUT(3, turned[3])
#define OF_FOUR(x) _mm256_##x##_pd
#define NARROW_LEVEL packed_avx2_double
#include "kernels/matmul/packed_tiles.h"
#undef LEVEL
#undef NAME
#undef ELEMENT
#undef TURNED
#undef BROADCAST
#undef FMA
#undef OF
#undef FIRST_HALF
#undef MASK
#undef LOAD_LINE
#undef HALF_MASK
#undef REPEATED
#undef SET_512
#undef SET_256
#undef COUNTED_512
#undef COUNTED_256
#undef TURN_QUARTERS
#undef LOW_PAIRS_512
#undef HIGH_PAIRS_512
#undef LOW_PAIRS_256
#undef HIGH_PAIRS_256
#undef PIECES_512
#undef PIECES_256
#undef OF_FOUR
#undef NARROW_LEVEL
#undef TARGET

/* A pair of bfloat16 moves as a float. */
#define TARGET __attribute__((target("avx512f,avx512bf16")))
#define PANELS_ONLY
#define LEVEL packed_avx512_bfloat16
#define NAME(x) x##_bfloat16
#define ELEMENT float
#define TURNED 8
#define BROADCAST _mm512_set1_ps
#define FMA(x, y, z) _mm512_dpbf16_ps(z, (__m512bh)(x), (__m512bh)(y))
#include "kernels/matmul/packed_tiles.h"
#endif
