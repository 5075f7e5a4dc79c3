// rung:    mirrored
// takes:   inplace
// idea:    in the matrix's own memory: a group reads two tiles across the diagonal from each other, then writes each in the other's place
// tune:    WORD = max(element_bytes, 8 * (rows * element_bytes % 8 == 0)) in 1 2 4 8 16
// tune:    TILE = 32 + 32 * (element_bytes <= 4) * (rows * element_bytes % 8 > 0) - 16 * (element_bytes < 4) * (rows * element_bytes % 8 == 0) in 8 16 32 64
// tune:    ITEMS = 256 + 256 * (element_bytes <= 4) * (rows * element_bytes % 8 > 0) in 64 128 256 512 1024
// tune:    SQUARE = 4 + 4 * (rows * element_bytes % 8 == 0) in 1 2 4 8 16
// tune:    EVICT_LAST = max(rows * element_bytes % 8 > 0, rows * cols * element_bytes > 536870912) in 0 1
// group:   ITEMS, 1
// groups:  SQUARE * SQUARE * (ceil(rows * element_bytes / (SQUARE * TILE * WORD)) + 1), ceil(ceil(rows * element_bytes / (SQUARE * TILE * WORD)) / 2)
// require: inplace == 1, transposes in the matrix's own memory alone
// require: rows == cols, transposes square matrices alone
// require: WORD >= element_bytes, an element is larger than WORD bytes
// require: rows * element_bytes % WORD == 0, rows are no whole words
// require: ITEMS % TILE == 0, the items do not share the tile's rows evenly
// require: TILE * TILE % ITEMS == 0, the items do not share the tile's words evenly
// require: 2 * TILE * TILE * WORD * WORD / element_bytes <= local_bytes, two tiles do not fit local memory; a smaller TILE might

// As in vector.cl: a word holds SIDE elements, and a tile is TILE x TILE squares of SIDE x SIDE elements.
#define SIDE (WORD / ELEMENT_BYTES)
union word {
    WORD_OF(WORD) whole;
    ELEMENT elements[SIDE];
};

#define STEP (ITEMS / TILE) // squares, down; rows of elements, across
#define READ_STEPS (TILE / STEP)
#define WRITE_STEPS (TILE * SIDE / STEP)
#define PLACE(col, down) ((col)*TILE + ((down) ^ ((col) / SIDE & (TILE - 1))))

// The words of a tile whose first squares are `top` down and `left` across: a matrix has `pitch` of them each way.
void read_tile(union word read[READ_STEPS][SIDE], __global const WORD_OF(WORD) * words, long top, long left, long pitch)
{
    const int across = get_local_id(0) % TILE, down = get_local_id(0) / TILE;
    const int rows = left + across < pitch ? (int)min(pitch - top, (long)TILE) : 0;
    __global const WORD_OF(WORD) *from = words + (top + down) * SIDE * pitch + left + across;
#pragma unroll
    for (int k = 0; k < READ_STEPS; k++) {
#pragma unroll
        for (int i = 0; i < SIDE; i++)
            if (down + k * STEP < rows)
                read[k][i].whole = EVICT_LAST ? load_evict_last(from + i * pitch) : from[i * pitch];
        from += STEP * SIDE * pitch;
    }
}

void turn_tile(local_pointer WORD_OF(WORD) * tile, union word read[READ_STEPS][SIDE])
{
    const int across = get_local_id(0) % TILE, down = get_local_id(0) / TILE;
#pragma unroll
    for (int k = 0; k < READ_STEPS; k++)
#pragma unroll
        for (int j = 0; j < SIDE; j++) {
            union word turned;
#pragma unroll
            for (int i = 0; i < SIDE; i++)
                turned.elements[i] = read[k][i].elements[j];
            tile[PLACE(across * SIDE + j, down + k * STEP)] = turned.whole;
        }
}

void write_tile(__global WORD_OF(WORD) * words, local_pointer const WORD_OF(WORD) * tile, long top, long left,
                long pitch)
{
    const int across = get_local_id(0) % TILE, down = get_local_id(0) / TILE;
    const int rows = left + across < pitch ? (int)min(pitch - top, (long)TILE) * SIDE : 0; // of elements
    __global WORD_OF(WORD) *to = words + (top * SIDE + down) * pitch + left + across;
#pragma unroll
    for (int k = 0; k < WRITE_STEPS; k++) {
        if (down + k * STEP < rows)
            *to = tile[PLACE(down + k * STEP, across)];
        to += STEP * pitch;
    }
}

// Five groups of 256 on a multiprocessor at a time, or three of 512: left alone, the compiler takes more registers.
#ifdef __CUDA_ARCH__
#define RESIDENT __launch_bounds__(ITEMS, (1280 + ITEMS / 2) / ITEMS)
#else
#define RESIDENT
#endif

__kernel RESIDENT void transpose(__global ELEMENT *data, long rows, long cols)
{
    local_array WORD_OF(WORD) above[TILE * SIDE * TILE], below[TILE * SIDE * TILE];
    // Squares of SQUARE x SQUARE tiles, above the diagonal: a row of them and the one as far from the end are as long
    // as any two such rows together.
    const long pitch = cols / SIDE, squares = (pitch + SQUARE * TILE - 1) / (SQUARE * TILE), down = get_group_id(1);
    const long in_square = get_group_id(0) % (SQUARE * SQUARE), along = get_group_id(0) / (SQUARE * SQUARE);
    const bool is_far = down + along >= squares;
    const long row = is_far ? squares - 1 - down : down, col = is_far ? row + down + along - squares : row + along;
    const long first = (row * SQUARE + in_square / SQUARE) * TILE;  // the first tile's squares, down
    const long second = (col * SQUARE + in_square % SQUARE) * TILE; // and across
    if (first > second || second >= pitch || (is_far && row == down))
        return; // its tiles are another group's

    __global WORD_OF(WORD) *words = (__global WORD_OF(WORD) *)data;
    union word right[READ_STEPS][SIDE], left[READ_STEPS][SIDE];
    // begin read
    read_tile(right, words, first, second, pitch);
    read_tile(left, words, second, first, pitch);
    turn_tile(above, right);
    turn_tile(below, left);
    barrier(CLK_LOCAL_MEM_FENCE); // both are read before either is written
    write_tile(words, above, second, first, pitch);
    if (first < second)
        write_tile(words, below, first, second, pitch);
    // end read
}
