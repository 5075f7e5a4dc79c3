// Three kernels: `transpose` stores each tile directly in the memory of the device that owns those rows; `turn` turns a
// rectangle in this device's memory; `place` copies one, as copy engines do it slowly within a device.
//
// A tile is DOWN x ACROSS elements, read along the input's rows and stored along the output's, in words of WORD bytes.

#define V (WORD / ELEMENT_BYTES)
union word {
    WORD_OF(WORD) whole;
    ELEMENT elements[V];
};

#define READ_WORDS (ACROSS / V)        // of a row of the tile
#define READ_STEP (ITEMS / READ_WORDS) // rows that the group reads at once
#define READ_STEPS (DOWN / READ_STEP)
#define WRITE_WORDS (DOWN / V) // of a column of the tile
#define WRITE_STEP (ITEMS / WRITE_WORDS)
#define WRITE_STEPS (ACROSS / WRITE_STEP)

// Turns one tile of `bottom` rows and `right` columns. Rows are from_pitch and to_pitch elements apart.
void turn_tile(__global const ELEMENT *from, long from_pitch, __global ELEMENT *to, long to_pitch, int bottom,
               int right, local_pointer ELEMENT (*tile)[ACROSS + 1])
{
    int x = (int)get_local_id(0) % READ_WORDS * V, y = (int)get_local_id(0) / READ_WORDS;
    union word read[READ_STEPS];
#pragma unroll
    for (int k = 0; k < READ_STEPS; k++)
        if (y + k * READ_STEP < bottom && x < right)
            read[k].whole = *(__global const WORD_OF(WORD) *)(from + (y + k * READ_STEP) * from_pitch + x);
#pragma unroll
    for (int k = 0; k < READ_STEPS; k++) {
#pragma unroll
        for (int i = 0; i < V; i++)
            tile[y + k * READ_STEP][x + i] = read[k].elements[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE); // the whole tile is stored before a column of it is read

    x = (int)get_local_id(0) % WRITE_WORDS * V;
    y = (int)get_local_id(0) / WRITE_WORDS;
#pragma unroll
    for (int k = 0; k < WRITE_STEPS; k++) {
        union word turned;
#pragma unroll
        for (int i = 0; i < V; i++)
            turned.elements[i] = tile[x + i][y + k * WRITE_STEP];
        if (y + k * WRITE_STEP < right && x < bottom)
            *(__global WORD_OF(WORD) *)(to + (y + k * WRITE_STEP) * to_pitch + x) = turned.whole;
    }
}

// `places` has, for each device, the address of its output rows, then the first of them and their end. Neighbouring
// groups store to different devices, so that all links are busy; `own` comes last.
__kernel group_shape(ITEMS, 1, 1) void transpose(__global const ELEMENT *in, __global const long *places, long rows,
                                                 long cols, long first_row, long own_rows, int own, int count)
{
    local_array ELEMENT tile[DOWN][ACROSS + 1];
    int target = (int)((own + 1 + get_group_id(0) % count) % count);
    long number = get_group_id(0) / count;
    long down = (own_rows + DOWN - 1) / DOWN;
    long first = places[count + target], end = places[count + target + 1];
    long row = number % down * DOWN;
    long col = first + number / down * ACROSS;
    if (col >= end)
        return;
    int bottom = (int)min(own_rows - row, (long)DOWN), right = (int)min(end - col, (long)ACROSS);
    __global ELEMENT *to = (__global ELEMENT *)(ulong)places[target] + (col - first) * rows + first_row + row;
    turn_tile(in + row * cols + col, cols, to, rows, bottom, right, tile);
}

// Turns `rows` x `cols` elements of `in` from element in_at on into `out` from element out_at on.
__kernel group_shape(ITEMS, 1, 1) void turn(__global const ELEMENT *in, long in_at, long in_pitch,
                                            __global ELEMENT *out, long out_at, long out_pitch, long rows, long cols)
{
    local_array ELEMENT tile[DOWN][ACROSS + 1];
    long down = (rows + DOWN - 1) / DOWN;
    long row = get_group_id(0) % down * DOWN, col = get_group_id(0) / down * ACROSS;
    int bottom = (int)min(rows - row, (long)DOWN), right = (int)min(cols - col, (long)ACROSS);
    turn_tile(in + in_at + row * in_pitch + col, in_pitch, out + out_at + col * out_pitch + row, out_pitch, bottom,
              right, tile);
}

// Copies `rows` x `cols` elements of `in` from element in_at on into `out` from element out_at on. A group a row.
__kernel group_shape(ITEMS, 1, 1) void place(__global const ELEMENT *in, long in_at, long in_pitch,
                                             __global ELEMENT *out, long out_at, long out_pitch, long rows, long cols)
{
    for (long row = get_group_id(0); row < rows; row += get_num_groups(0)) {
        __global const WORD_OF(WORD) *from = (__global const WORD_OF(WORD) *)(in + in_at + row * in_pitch);
        __global WORD_OF(WORD) *to = (__global WORD_OF(WORD) *)(out + out_at + row * out_pitch);
        long word = get_local_id(0), words = cols / V;
        for (; word + 3 * ITEMS < words; word += 4 * ITEMS) {
            WORD_OF(WORD) moved[4];
#pragma unroll
            for (int k = 0; k < 4; k++)
                moved[k] = from[word + k * ITEMS];
#pragma unroll
            for (int k = 0; k < 4; k++)
                to[word + k * ITEMS] = moved[k];
        }
        for (; word < words; word += ITEMS)
            to[word] = from[word];
    }
}
