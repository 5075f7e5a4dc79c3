// rung:    lasting
// idea:    what is read leaves the second-level cache last, so what is written leaves it soon and in order
// tune:    TILE = min(64, 256 / element_bytes) in 8 16 32 64
// tune:    ROWS = max(4, min(8, element_bytes)) in 1 2 4 8 16 32
// tune:    LASTING = rows * cols * element_bytes > 134217728 in 0 1
// group:   TILE, ROWS
// groups:  ceil(rows / TILE), ceil(cols / TILE)
// require: TILE % ROWS == 0, a tile of TILE rows is no whole number of steps of ROWS rows
// require: TILE * (TILE + 4) * element_bytes <= local_bytes, the tile does not fit local memory; a smaller TILE might

// On matrices that fit the second-level cache, what is written may as well stay there: LASTING is off.

// Elements in a bank's word of four bytes.
#define WORD ((ELEMENT_BYTES + 3) / ELEMENT_BYTES)

__kernel void transpose(__global const ELEMENT *in, __global ELEMENT *out, long rows, long cols)
{
    local_array ELEMENT tile[TILE][TILE + WORD];
    int x = get_local_id(0);
    int y = get_local_id(1);
    long first_row = get_group_id(0) * TILE;
    long first_col = get_group_id(1) * TILE;
    __global const ELEMENT *from = in + (first_row + y) * cols + first_col + x;

    for (int k = 0; k < TILE; k += ROWS) {
        if (first_row + y + k < rows && first_col + x < cols)
            tile[y + k][x] = LASTING ? load_lasting(from + k * cols) : from[k * cols];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; k += ROWS) {
        long col = first_col + y + k;
        if (col < cols && first_row + x < rows)
            out[col * rows + first_row + x] = tile[x][y + k];
    }
}
