// The tiles of tensor_fused.cu, by number (TILE); shape_choice.c has the same table.
//
// X_LINES is the number of rows of a warpgroup's product (64 each), Y_LINES its columns. X is rows of op(A) and Y
// columns of op(B); with SWAPPED, for few rows, the reverse.

#if TILE == 1
#define Y_LINES 16
#define SWAPPED 0
#elif TILE == 2
#define Y_LINES 32
#define SWAPPED 0
#elif TILE == 4
#define Y_LINES 128
#define SWAPPED 0
#elif TILE == 5
#define Y_LINES 16
#define SWAPPED 1
#elif TILE == 6
#define Y_LINES 32
#define SWAPPED 1
#elif TILE == 7
#define Y_LINES 128
#define SWAPPED 0
#define WARPGROUPS 2
#else
#define Y_LINES 64
#define SWAPPED 0
#endif

#ifndef WARPGROUPS
#define WARPGROUPS 1
#endif
#define X_LINES (64 * WARPGROUPS)
#define TILE_M (SWAPPED ? Y_LINES : X_LINES)
#define TILE_N (SWAPPED ? X_LINES : Y_LINES)
