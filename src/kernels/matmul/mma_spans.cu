// rung:    mma-spans
// idea:    too few tiles for the GPU: groups share the depth of a tile, and the last to come adds their sums
// tune:    TILE = 0 in 0 64 128; SPANS = 0 in 0 1 2 3 4 6 8 12 16 24 32; CLUSTER = 0 in 0 1 2 4 8
// require: element_bytes == 2, multiplies elements of 16 bits
// require: compute >= 8.0, needs mma.sync of 16 x 8 x 16, which GPUs have from compute capability 8.0 on
// tensor:  1
// takes:   result f16 bf16

// A long depth with few results keeps few groups busy. Here each has a slice of the depth of its tile. CLUSTER groups
// add their sums through shared memory, SPANS clusters through scratch memory (arrivals.cuh), in the order of their
// depths. Tiles of 64 × 64 are four times as many, and need more reads of shared memory for a product. Rows that begin
// anywhere come by asynchronous copies as well, and are moved within shared memory. The host half chooses what is 0
// (mma_spans.c).

#define STAGES 4
#if TILE == 0 // without the host half
#undef TILE
#define TILE 64
#endif
#undef SPANS
#define SPANS 1

#include "kernels/matmul/mma.cuh"
