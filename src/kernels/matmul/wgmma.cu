// rung:    wgmma
// idea:    the copy engine (TMA) fetches tiles, 128 items (a warpgroup) multiply them from shared memory
// tune:    TILE_N = 128 in 64 128; STAGES = 4 in 2 3 4 5 6; GROUPED = 8 in 1 2 4 8 16 32
// require: element_bytes == 2, multiplies elements of 16 bits
// require: compute == 9.0, needs wgmma, which only GPUs of compute capability 9.0 have
// tensor:  1
// takes:   result f16 bf16

// One item describes a tile to the copy engine, which computes the addresses, swizzles and counts the bytes; the other
// items do not fetch. Two warpgroups multiply 64 rows each.

#define CLUSTER 1
#define TILE_M 128
#define PERSISTENT 0
#if GROUPED == 0 || TILE_N == 0 || STAGES == 0
#error "the header defines them"
#endif

#include "kernels/matmul/wgmma.cuh"
