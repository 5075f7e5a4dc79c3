// rung:    strips
// idea:    groups that run at the same time are below each other, not side by side, so they write one contiguous piece of memory
// tune:    TILE = min(64, 256 / element_bytes) in 8 16 32 64
// tune:    ROWS = max(4, min(8, element_bytes)) in 1 2 4 8 16 32
// group:   TILE, ROWS
// groups:  ceil(rows / TILE), ceil(cols / TILE)
// require: TILE % ROWS == 0, a tile of TILE rows is no whole number of steps of ROWS rows
// require: TILE * (TILE + 4) * element_bytes <= local_bytes, the tile does not fit local memory; a smaller TILE might

// Elements in a bank's word of four bytes.
#define WORD ((ELEMENT_BYTES + 3) / ELEMENT_BYTES)

__kernel void transpose(__global const ELEMENT *in, __global ELEMENT *out, long rows, long cols)
{
    local_array ELEMENT tile[TILE][TILE + WORD];
    int x = get_local_id(0);
    int y = get_local_id(1);
    // begin groups
    long first_row = get_group_id(0) * TILE;
    long first_col = get_group_id(1) * TILE;
    // end groups

    for (int k = 0; k < TILE; k += ROWS) {
        long row = first_row + y + k;
        if (row < rows && first_col + x < cols)
            tile[y + k][x] = in[row * cols + first_col + x];
    }
    barrier(CLK_LOCAL_MEM_FENCE); // the whole tile is stored before a column of it is read
    for (int k = 0; k < TILE; k += ROWS) {
        long col = first_col + y + k;
        if (col < cols && first_row + x < rows)
            out[col * rows + first_row + x] = tile[x][y + k];
    }
}
