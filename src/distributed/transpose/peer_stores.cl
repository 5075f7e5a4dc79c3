// One kernel transposes a tile and stores it directly in the memory of the device that owns those rows.
//
// A tile is DOWN x ACROSS elements, read along the input's rows and stored along the output's, in words of WORD bytes.
// `places` has, for each device, the address of its output rows, then the first of them and their end. Neighbouring
// groups store to different devices, so that all links are busy; `own` comes last.

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

    int x = (int)get_local_id(0) % READ_WORDS * V, y = (int)get_local_id(0) / READ_WORDS;
    union word read[READ_STEPS];
    __global const ELEMENT *from = in + (row + y) * cols + col + x;
#pragma unroll
    for (int k = 0; k < READ_STEPS; k++)
        if (y + k * READ_STEP < bottom && x < right)
            read[k].whole = *(__global const WORD_OF(WORD) *)(from + k * READ_STEP * cols);
#pragma unroll
    for (int k = 0; k < READ_STEPS; k++) {
#pragma unroll
        for (int i = 0; i < V; i++)
            tile[y + k * READ_STEP][x + i] = read[k].elements[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE); // the whole tile is stored before a column of it is read

    x = (int)get_local_id(0) % WRITE_WORDS * V;
    y = (int)get_local_id(0) / WRITE_WORDS;
    __global ELEMENT *to = (__global ELEMENT *)(ulong)places[target] + (col - first + y) * rows + first_row + row + x;
#pragma unroll
    for (int k = 0; k < WRITE_STEPS; k++) {
        union word turned;
#pragma unroll
        for (int i = 0; i < V; i++)
            turned.elements[i] = tile[x + i][y + k * WRITE_STEP];
        if (y + k * WRITE_STEP < right && x < bottom)
            *(__global WORD_OF(WORD) *)(to + k * WRITE_STEP * rows) = turned.whole;
    }
}
