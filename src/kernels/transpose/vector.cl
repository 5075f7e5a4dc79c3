// rung:    vector
// idea:    global and local memory move words of 8 bytes; an item transposes a square of elements in its registers
// tune:    WORD = max(element_bytes, 8 * (rows * element_bytes % 8 + cols * element_bytes % 8 == 0)) in 1 2 4 8 16
// tune:    DOWN = 16 + 16 * (element_bytes > 1) in 8 16 32 64; ACROSS = 32 - 16 * (element_bytes == 16) in 8 16 32 64
// tune:    ITEMS = 256 in 64 128 256 512
// tune:    EVICT_LAST = rows * cols * element_bytes > 134217728 in 0 1
// group:   ITEMS, 1
// groups:  ceil(rows * element_bytes / (DOWN * WORD)), ceil(cols * element_bytes / (ACROSS * WORD))
// require: WORD >= element_bytes, an element is larger than WORD bytes
// require: rows * element_bytes % WORD + cols * element_bytes % WORD == 0, rows or columns are no whole words
// require: ITEMS % ACROSS + ITEMS % DOWN == 0, the items do not share the tile's rows or columns evenly
// require: DOWN * ACROSS % ITEMS == 0, the items do not share the tile's words evenly
// require: DOWN * ACROSS * WORD * WORD / element_bytes <= local_bytes, the tile does not fit local memory; a smaller DOWN or ACROSS might

// A word holds SIDE elements. The tile is DOWN x ACROSS squares of SIDE x SIDE elements.
#define SIDE (WORD / ELEMENT_BYTES)
union word {
    WORD_OF(WORD) whole;
    ELEMENT elements[SIDE];
};

#define READ_STEP (ITEMS / ACROSS) // squares, down
#define READ_STEPS (DOWN / READ_STEP)
#define WRITE_STEP (ITEMS / DOWN) // columns of elements
#define WRITE_STEPS (ACROSS * SIDE / WRITE_STEP)

// The index in local memory of word `down` of column `col` of the tile. The squares of neighbouring items are SIDE
// columns apart, in the same banks; each is rotated by a different number of words, so they use different banks.
// begin place
#define PLACE(col, down) ((col)*DOWN + ((down) ^ ((col) / SIDE & (DOWN - 1))))
// end place

__kernel void transpose(__global const ELEMENT *in, __global ELEMENT *out, long rows, long cols)
{
    local_array WORD_OF(WORD) tile[ACROSS * SIDE * DOWN];
    int item = get_local_id(0);
    long first_row = get_group_id(0) * (DOWN * SIDE);
    long first_col = get_group_id(1) * (ACROSS * SIDE);

    int across = item % ACROSS;
    int down = item / ACROSS;
    int left = first_col + across * SIDE < cols ? (int)min(rows - first_row, (long)(DOWN * SIDE)) : 0;
    long pitch = cols / SIDE;
    __global const WORD_OF(WORD) *from =
        (__global const WORD_OF(WORD) *)in + (first_row + down * SIDE) * pitch + first_col / SIDE + across;
    union word read[READ_STEPS][SIDE];
#pragma unroll
    for (int k = 0; k < READ_STEPS; k++) {
#pragma unroll
        for (int i = 0; i < SIDE; i++)
            if ((down + k * READ_STEP) * SIDE < left)
                read[k][i].whole = EVICT_LAST ? load_evict_last(from + i * pitch) : from[i * pitch];
        from += READ_STEP * SIDE * pitch;
    }
#pragma unroll
    for (int k = 0; k < READ_STEPS; k++) {
#pragma unroll
        for (int j = 0; j < SIDE; j++) {
            // begin turn
            union word turned;
#pragma unroll
            for (int i = 0; i < SIDE; i++)
                turned.elements[i] = read[k][i].elements[j];
            tile[PLACE(across * SIDE + j, down + k * READ_STEP)] = turned.whole;
            // end turn
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); // the whole tile is stored before a column of it is read

    down = item % DOWN;
    int col = item / DOWN;
    left = first_row + down * SIDE < rows ? (int)min(cols - first_col, (long)(ACROSS * SIDE)) : 0;
    pitch = rows / SIDE;
    __global WORD_OF(WORD) *to = (__global WORD_OF(WORD) *)out + (first_col + col) * pitch + first_row / SIDE + down;
#pragma unroll
    for (int k = 0; k < WRITE_STEPS; k++) {
        if (col + k * WRITE_STEP < left)
            *to = tile[PLACE(col + k * WRITE_STEP, down)];
        to += WRITE_STEP * pitch;
    }
}
