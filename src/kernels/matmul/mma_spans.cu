// rung:    mma-spans
// idea:    too few tiles for the GPU: groups share the depth of a tile, and the last to come adds their sums
// tune:    TILE_M = 0 in 0 16 32 64 128; TILE_N = 0 in 0 16 32 64 128
// tune:    DEPTH = 0 in 0 32 64; SPANS = 0 in 0 1 2 3 4 6 8 12 16 24 32; CLUSTER = 0 in 0 1 2 4 8
// require: element_bytes == 2, multiplies elements of 16 bits
// require: compute >= 8.0, needs mma.sync of 16 x 8 x 16, which GPUs have from compute capability 8.0 on
// tensor:  1
// takes:   result f16 bf16

// A long depth with few results keeps few groups busy. Here each has a slice of the depth of its tile. CLUSTER groups
// add their sums through shared memory, SPANS clusters through scratch memory (arrivals.cuh), in the order of their
// depths. Smaller tiles are more, and need more reads of shared memory for a product; 16 × 128, or 128 × 16, fit few
// rows or columns. Rows that begin anywhere come by asynchronous copies as well, and are moved within shared memory.
// The host half chooses what is 0 (mma_spans.c).

#if TILE_M == 0 || TILE_N == 0 // without the host half
#undef TILE_M
#undef TILE_N
#define TILE_M 64
#define TILE_N 64
#endif
#if DEPTH == 0
#undef DEPTH
#define DEPTH 32
#endif
#define STAGES (DEPTH == 64 ? 3 : 4)
#undef SPANS
#define SPANS 1

#include "kernels/matmul/mma.cuh"
