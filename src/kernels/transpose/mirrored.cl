// rung:    mirrored
// takes:   inplace
// idea:    in the matrix's own memory: a group reads two tiles across the diagonal from each other, then writes each in the other's place
// tune:    TILE = min(64, 128 / element_bytes) in 8 16 32 64
// tune:    ROWS = 8 in 2 4 8 16 32
// tune:    SQUARE = 16 in 1 4 8 16 32
// group:   TILE, ROWS
// groups:  SQUARE * SQUARE * ceil(cols / (SQUARE * TILE)), ceil(rows / (SQUARE * TILE))
// require: inplace == 1, transposes in the matrix's own memory alone
// require: rows == cols, transposes square matrices alone
// require: TILE % ROWS == 0, a tile of TILE rows is no whole number of steps of ROWS rows
// require: 2 * TILE * (TILE + 4) * element_bytes <= local_bytes, two tiles do not fit local memory; a smaller TILE might

// Elements in a bank's word of four bytes.
#define WORD ((ELEMENT_BYTES + 3) / ELEMENT_BYTES)

__kernel void transpose(__global ELEMENT *data, long rows, long cols)
{
    local_array ELEMENT above[TILE][TILE + WORD], below[TILE][TILE + WORD];
    const int x = get_local_id(0), y = get_local_id(1);
    // Groups that run at the same time are in a square of tiles, so that both sides of the diagonal have long rows.
    const int group = get_group_id(0), across = group / (SQUARE * SQUARE), in_square = group % (SQUARE * SQUARE);
    const long first = (get_group_id(1) * SQUARE + in_square / SQUARE) * TILE; // the first tile's row
    const long second = ((long)across * SQUARE + in_square % SQUARE) * TILE;   // and column
    if (first > second || second >= cols)
        return; // its tiles are another group's

        // begin read
#pragma unroll
    for (int k = 0; k < TILE; k += ROWS) {
        const long row = first + y + k, mirrored = second + y + k;
        if (row < rows && second + x < cols)
            above[y + k][x] = data[row * cols + second + x];
        if (mirrored < rows && first + x < cols)
            below[y + k][x] = data[mirrored * cols + first + x];
    }
    // end read
    barrier(CLK_LOCAL_MEM_FENCE); // both are read before either is written
#pragma unroll
    for (int k = 0; k < TILE; k += ROWS) {
        const long row = first + y + k, mirrored = second + y + k;
        if (row < rows && second + x < cols)
            data[row * cols + second + x] = below[x][y + k];
        if (mirrored < rows && first + x < cols && first < second)
            data[mirrored * cols + first + x] = above[x][y + k];
    }
}
