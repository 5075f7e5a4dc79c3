// rung:    shifted
// idea:    elements smaller than four bytes travel in words of four at any shape: words are shifted into place
// tune:    DOWN = 256 / max(4 + 4 * (element_bytes < 4), element_bytes) in 8 16 32 64
// tune:    ACROSS = 256 / max(4 + 4 * (element_bytes < 4), element_bytes) in 8 16 32 64
// tune:    ITEMS = 256 in 64 128 256 512; SECTOR = 32 in 32 64 128
// group:   ITEMS, 1
// groups:  ceil((rows * element_bytes + SECTOR - element_bytes) / (DOWN * max(4, element_bytes))), ceil(cols * element_bytes / (ACROSS * max(4, element_bytes)))
// require: ITEMS % ACROSS + ITEMS % DOWN == 0, the items do not share the tile's rows or columns evenly
// require: (DOWN + SECTOR / 4 + 3) * ACROSS * max(4, element_bytes) * max(4, element_bytes) / element_bytes <= local_bytes, the tile is larger than a group's local memory

// A word holds SIDE elements. A tile writes DOWN words of each of ACROSS * SIDE rows of the output, and reads LEAD
// words more of each column than it writes: it is cut slanting, see slanted.cl.
#if ELEMENT_BYTES < 4
#define SIDE (4 / ELEMENT_BYTES)
#define WORD_TYPE uint
#else
#define SIDE 1
#define WORD_TYPE ELEMENT
#endif
#define SLANT (SECTOR / ELEMENT_BYTES)
#define LEAD ((SLANT + SIDE - 2) / SIDE)
#define HEIGHT (DOWN + LEAD)

#define READ_STEP (ITEMS / ACROSS) // squares of SIDE x SIDE elements, down
#define READ_STEPS ((HEIGHT + READ_STEP - 1) / READ_STEP)
#define WRITE_STEP (ITEMS / DOWN) // columns of elements
#define WRITE_STEPS (ACROSS * SIDE / WRITE_STEP)

// Where local memory keeps word `down` of column `col` of the tile: PITCH is even, so that with the word more every
// SIDE columns the squares of neighbouring items meet different banks.
#define PITCH ((HEIGHT + 2) / 2 * 2)
#define PLACE(col, down) ((col)*PITCH + (col) / SIDE + (down))

union word {
    WORD_TYPE whole;
    ELEMENT elements[SIDE];
};

// The SIDE elements that begin at the one numbered `skew` of the two words.
#if SIDE > 1
#define SHIFTED(word, next, skew) (uint)(((ulong)(next) << 32 | (word)) >> (skew) * (8 * ELEMENT_BYTES))
#else
#define SHIFTED(word, next, skew) (word)
#endif

__kernel void transpose(__global const ELEMENT *in, __global ELEMENT *out, long rows, long cols)
{
    local_array WORD_TYPE tile[PLACE(ACROSS * SIDE - 1, HEIGHT) + 1];
    local_pointer ELEMENT *elements = (local_pointer ELEMENT *)tile;
    int item = get_local_id(0);
    long first_row = ((long)get_group_id(0) * DOWN - LEAD) * SIDE;
    long first_col = get_group_id(1) * (ACROSS * SIDE);

    // The tile's rows from `top` to before `bottom`, and its columns before `right`, are in the matrix.
    int top = (int)max(-first_row, (long)0);
    int bottom = (int)min(rows - first_row, (long)(HEIGHT * SIDE));
    int right = (int)min(cols - first_col, (long)(ACROSS * SIDE));

    // A word that is read goes beyond its elements; at the array's end that must not be.
    if (SIDE == 1 || (first_row + bottom - 1) * cols + first_col + (ACROSS + 1) * SIDE <= rows * cols) {
        int across = item % ACROSS;
        int down = item / ACROSS;
        long at = (first_row + down * SIDE) * cols + first_col + across * SIDE;
        WORD_TYPE word[READ_STEPS][SIDE], next[READ_STEPS][SIDE];
#pragma unroll
        for (int k = 0; k < READ_STEPS; k++) {
#pragma unroll
            for (int i = 0; i < SIDE; i++) {
                int row = (down + k * READ_STEP) * SIDE + i;
                if (row >= top && row < bottom && across * SIDE < right) {
                    __global const WORD_TYPE *from = (__global const WORD_TYPE *)in + (ulong)at / SIDE;
                    word[k][i] = from[0];
                    next[k][i] = from[SIDE > 1];
                }
                at += cols;
            }
            at += (READ_STEP - 1) * SIDE * cols;
        }
#pragma unroll
        for (int k = 0; k < READ_STEPS; k++) {
            union word square[SIDE];
#pragma unroll
            for (int i = 0; i < SIDE; i++) // row and column are whole words away from the array's beginning, but for i
                square[i].whole = SHIFTED(word[k][i], next[k][i], (int)(i * cols) & (SIDE - 1));
#pragma unroll
            for (int j = 0; j < SIDE; j++) {
                union word turned;
#pragma unroll
                for (int i = 0; i < SIDE; i++)
                    turned.elements[i] = square[i].elements[j];
                if (down + k * READ_STEP < HEIGHT)
                    tile[PLACE(across * SIDE + j, down + k * READ_STEP)] = turned.whole;
            }
        }
    } else {
        for (int down = item / ACROSS; down < bottom; down += READ_STEP)
            for (int col = item % ACROSS; col < right; col += ACROSS)
                if (down >= top)
                    elements[PLACE(col, 0) * SIDE + down] = in[(first_row + down) * cols + first_col + col];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    int col = item / DOWN;
    long start = (first_col + col) * rows; // of the output's row
#pragma unroll
    for (int k = 0; k < WRITE_STEPS; k++) {
        int down = (LEAD + item % DOWN) * SIDE - ((int)start & (SLANT - 1)); // the word's first element
        if (col + k * WRITE_STEP < right && down < bottom && down + SIDE > top) {
            local_pointer const WORD_TYPE *words = tile + PLACE(col + k * WRITE_STEP, down / SIDE);
            long to = start + first_row + down;
            if (down >= top && down + SIDE <= bottom)
                ((__global WORD_TYPE *)out)[(ulong)to / SIDE] = SHIFTED(words[0], words[1], down & (SIDE - 1));
            else
#pragma unroll 1
                for (int i = max(top - down, 0); i < min(SIDE, bottom - down); i++)
                    out[to + i] = elements[PLACE(col + k * WRITE_STEP, 0) * SIDE + down + i];
        }
        start += WRITE_STEP * rows;
    }
}
