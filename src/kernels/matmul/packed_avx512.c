/* Tiles of 14 × 32 floats or 14 × 16 doubles: 28 of the 32 registers are sums, two have a row of B's panel. */
#include "kernels/matmul/packed.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET __attribute__((target("avx512f")))
#define VECTOR_BYTES 64
#define ROWS 14
#define VECTORS 2
#define STEPS 4
#define DEPTH 512

#define LEVEL packed_avx512_float
#define NAME(x) x##_float
#define ELEMENT float
#define TURNED 8
#define BROADCAST _mm512_set1_ps
#define FMA _mm512_fmadd_ps
#define MASK __mmask16
#define MASKED_LOAD _mm512_maskz_loadu_ps
#define REPEATED(lane)                               \
    _mm512_min_epu32(_mm512_set1_epi32((int)(lane)), \
                     _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#define REPEAT _mm512_permutexvar_ps
#define MASKED_STORE _mm512_mask_storeu_ps
#define NARROW_LEVEL packed_avx2_float
#include "kernels/matmul/packed_tiles.h"
#undef LEVEL
#undef NAME
#undef ELEMENT
#undef TURNED
#undef BROADCAST
#undef FMA
#undef MASK
#undef MASKED_LOAD
#undef REPEATED
#undef REPEAT
#undef MASKED_STORE
#undef NARROW_LEVEL

#define LEVEL packed_avx512_double
#define NAME(x) x##_double
#define ELEMENT double
#define TURNED 4
#define BROADCAST _mm512_set1_pd
#define FMA _mm512_fmadd_pd
#define MASK __mmask8
#define MASKED_LOAD _mm512_maskz_loadu_pd
#define REPEATED(lane) _mm512_min_epu64(_mm512_set1_epi64((long long)(lane)), _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7))
#define REPEAT _mm512_permutexvar_pd
#define MASKED_STORE _mm512_mask_storeu_pd
#define NARROW_LEVEL packed_avx2_double
#include "kernels/matmul/packed_tiles.h"
#undef LEVEL
#undef NAME
#undef ELEMENT
#undef TURNED
#undef BROADCAST
#undef FMA
#undef MASK
#undef MASKED_LOAD
#undef REPEATED
#undef REPEAT
#undef MASKED_STORE
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
