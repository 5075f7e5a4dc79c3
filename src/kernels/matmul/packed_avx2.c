/* Tiles of 6 × 16 floats or 6 × 8 doubles: 12 of the 16 registers are sums, two have a row of B's panel. */
#include "kernels/matmul/packed.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET __attribute__((target("avx2,fma")))
#define VECTOR_BYTES 32
#define ROWS 6
#define VECTORS 2
#define STEPS 4
#define DEPTH 384

#define LEVEL packed_avx2_float
#define NAME(x) x##_float
#define ELEMENT float
#define TURNED 8
#define BROADCAST _mm256_set1_ps
#define FMA _mm256_fmadd_ps
#include "kernels/matmul/packed_tiles.h"
#undef LEVEL
#undef NAME
#undef ELEMENT
#undef TURNED
#undef BROADCAST
#undef FMA

#define LEVEL packed_avx2_double
#define NAME(x) x##_double
#define ELEMENT double
#define TURNED 4
#define BROADCAST _mm256_set1_pd
#define FMA _mm256_fmadd_pd
#include "kernels/matmul/packed_tiles.h"
#endif
