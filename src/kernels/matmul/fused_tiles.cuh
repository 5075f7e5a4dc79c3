// The tiles that tensor_fused.cu is compiled for, by their number (TILE); shape_choice.c has the same table.

// Results of a group, and its warps.
#if TILE == 1
#define TILE_M 16
#define TILE_N 128
#define WARPS_M 1
#define WARPS_N 4
#elif TILE == 2
#define TILE_M 32
#define TILE_N 128
#define WARPS_M 1
#define WARPS_N 4
#elif TILE == 3
#define TILE_M 128
#define TILE_N 16
#define WARPS_M 4
#define WARPS_N 1
#elif TILE == 4
#define TILE_M 128
#define TILE_N 32
#define WARPS_M 4
#define WARPS_N 1
#elif TILE == 5
#define TILE_M 32
#define TILE_N 32
#define WARPS_M 2
#define WARPS_N 2
#elif TILE == 7
#define TILE_M 128
#define TILE_N 64
#define WARPS_M 2
#define WARPS_N 2
#elif TILE == 8
#define TILE_M 128
#define TILE_N 128
#define WARPS_M 2
#define WARPS_N 4
#elif TILE == 9
#define TILE_M 64
#define TILE_N 32
#define WARPS_M 2
#define WARPS_N 2
#elif TILE == 10
#define TILE_M 32
#define TILE_N 64
#define WARPS_M 2
#define WARPS_N 2
#else
#define TILE_M 64
#define TILE_N 64
#define WARPS_M 2
#define WARPS_N 2
#endif
