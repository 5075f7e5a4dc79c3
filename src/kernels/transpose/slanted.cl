// rung:    slanted
// idea:    each column of the tile begins where its output meets a sector of 32 bytes: none is written in two halves
// tune:    TILE = min(64, 256 / element_bytes) in 8 16 32 64
// tune:    ROWS = max(4, min(8, element_bytes)) in 1 2 4 8 16 32; SECTOR = 32 in 32 64 128
// tune:    EVICT_LAST = rows * cols * element_bytes > 134217728 in 0 1
// group:   TILE, ROWS
// groups:  ceil((rows + SECTOR / element_bytes - 1) / TILE), ceil(cols / TILE)
// require: TILE % ROWS == 0, a tile of TILE columns is no whole number of steps of ROWS columns
// require: (TILE + SECTOR / element_bytes + ROWS) * (TILE + 4) * element_bytes <= local_bytes, the tile does not fit local memory; a smaller TILE might

// A row of the output begins anywhere in a sector unless `rows` happens to be right. So the tile is cut slanting: in
// column `col` it begins up to SLANT - 1 rows higher, where the output's address is a multiple of SECTOR. The rows that
// two tiles read both come from the cache the second time.
#define SLANT (SECTOR / ELEMENT_BYTES)
#define STEPS ((TILE + SLANT - 1 + ROWS - 1) / ROWS) // of ROWS rows, to read the tile
#define WORD ((ELEMENT_BYTES + 3) / ELEMENT_BYTES)   // elements in a bank's word of four bytes

__kernel void transpose(__global const ELEMENT *in, __global ELEMENT *out, long rows, long cols)
{
    local_array ELEMENT tile[STEPS * ROWS][TILE + WORD];
    int x = get_local_id(0);
    int y = get_local_id(1);
    long first_row = (long)get_group_id(0) * TILE - (SLANT - 1);
    long first_col = get_group_id(1) * TILE;

    // The tile's rows from `top` to before `bottom`, and its columns before `right`, are in the matrix.
    int top = (int)max(-first_row, (long)0);
    int bottom = (int)min(rows - first_row, (long)(TILE + SLANT - 1));
    int right = (int)min(cols - first_col, (long)TILE);

    // All loads are issued before the first result is used.
    __global const ELEMENT *from = in + (first_row + y) * cols + first_col + x;
    ELEMENT read[STEPS];
#pragma unroll
    for (int k = 0; k < STEPS; k++) {
        if (y + k * ROWS >= top && y + k * ROWS < bottom && x < right)
            read[k] = EVICT_LAST ? load_evict_last(from) : *from;
        from += ROWS * cols;
    }
#pragma unroll
    for (int k = 0; k < STEPS; k++)
        tile[y + k * ROWS][x] = read[k];
    barrier(CLK_LOCAL_MEM_FENCE); // the whole tile is stored before a column of it is read

    long start = (first_col + y) * rows; // of the output's row
    for (int col = y; col < right; col += ROWS) {
        // begin write
        int down = SLANT - 1 - ((int)start & (SLANT - 1)) + x;
        if (down >= top && down < bottom)
            out[start + first_row + down] = tile[down][col];
        // end write
        start += ROWS * rows;
    }
}
