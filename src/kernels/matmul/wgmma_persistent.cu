// rung:    wgmma-persistent
// idea:    groups go on from tile to tile: the next one is fetched while results are stored; pairs share B's columns
// tune:    TILE_N = 0 in 0 64 128 192 256; STAGES = 0 in 0 2 3 4 5 6 7 8; CLUSTER = 0 in 0 1 2 4; GROUPED = 0 in 0 1 2 4 8 16 32
// tune:    TILE_M = 0 in 0 128 192
// require: element_bytes == 2, multiplies elements of 16 bits
// require: compute == 9.0, needs wgmma, which only GPUs of compute capability 9.0 have
// tensor:  1
// takes:   result f16 bf16

// As many groups as the GPU has multiprocessors, in clusters: pairs multiply by the same columns of B, fours by the
// same rows of A, too. Each group fetches its share of these, for all (multicast). Stages are fetched without regard to
// tiles, so the first stages of the next tile come while the results of this one go to C, through the places of its
// last stages. One warp has only that to do. With tiles of 192 rows, whose sums take three quarters of the registers,
// it is one of those that multiply. Each byte fetched is then used 192 times instead of 128.
//
// GROUPED rows of tiles run together, so that the second-level cache has what they share. Where a tile's depth exceeds
// that cache, groups begin their tiles together. The host half chooses what is 0.

#define PERSISTENT 1
#if TILE_N == 0 && STAGES == 0 && CLUSTER == 0 && GROUPED == 0 && TILE_M == 0 // without the host half
#undef TILE_M
#undef TILE_N
#undef STAGES
#undef CLUSTER
#define TILE_M 128
#define TILE_N 256
#define STAGES 4
#define CLUSTER 2
#undef GROUPED
#define GROUPED 8
#endif

#include "kernels/matmul/wgmma.cuh"
