// rung:    shifted
// idea:    accesses of up to 16 bytes, aligned at any shape: local memory puts the elements into place
// tune:    HEIGHT = 64 / (1 + (element_bytes > 4)) in 16 32 64 128
// tune:    WIDTH = 512 / max(element_bytes, min(4, 2 * element_bytes)) in 16 32 64 128 256
// tune:    READ = min(16, 4 * element_bytes) in 1 2 4 8 16
// tune:    WRITE = element_bytes * (1 + 7 * (element_bytes < 4)) in 1 2 4 8 16
// tune:    ITEMS = 256 in 64 128 256 512; SECTOR = 64 in 32 64 128
// tune:    EVICT_LAST = rows * cols * element_bytes > 134217728 in 0 1; EVICT_FIRST = 0 in 0 1
// group:   ITEMS, 1
// groups:  ceil((rows + SECTOR / element_bytes - 1) / HEIGHT), ceil(cols / (WIDTH - READ / element_bytes + 1))
// require: min(READ, WRITE) >= element_bytes, an access is smaller than an element
// require: ITEMS % WIDTH == 0, the items do not share the tile's rows evenly
// require: ITEMS * WRITE / element_bytes % HEIGHT == 0, the items do not share the tile's columns evenly
// require: (HEIGHT + (SECTOR + ITEMS * READ / WIDTH) / element_bytes) * (WIDTH * element_bytes + READ + 8) <= local_bytes, the tile does not fit local memory; a smaller WIDTH might

// Rows may begin at any address. Each row is read from the last multiple of LOAD elements before its beginning, and
// stored `skew` elements further left in local memory, so columns are aligned there. The last LOAD - 1 columns are then
// incomplete: the next tile begins with them. Writes are aligned as in slanted.cl.
#define LOAD (READ / ELEMENT_BYTES)   // elements
#define STORE (WRITE / ELEMENT_BYTES) // elements
#define SLANT (SECTOR / ELEMENT_BYTES)
#define READERS (WIDTH / LOAD)      // items that share a row
#define READ_STEP (ITEMS / READERS) // rows
#define READ_STEPS ((HEIGHT + SLANT - 1 + READ_STEP - 1) / READ_STEP)
#define WRITERS (HEIGHT / STORE)     // items that share a column
#define WRITE_STEP (ITEMS / WRITERS) // columns

// With EVICT_FIRST what is read and written leaves the second-level cache first, for those who need it for something
// else: a device that copies rectangles to the host at the same time finds the addresses of its pages there.
#if EVICT_FIRST
#define LOAD_WORD(address) load_evict_first(address)
#elif EVICT_LAST
#define LOAD_WORD(address) load_evict_last(address)
#else
#define LOAD_WORD(address) (*(address))
#endif
#if EVICT_FIRST
#define STORE_WORD(address, word) store_evict_first(address, word)
#else
#define STORE_WORD(address, word) (*(address) = (word))
#endif

// In local memory, rows lie an odd number of the banks' words of four bytes apart.
#define WORD ((ELEMENT_BYTES + 3) / ELEMENT_BYTES)
#define PITCH (((WIDTH + LOAD - 1 + WORD - 1) / WORD | 1) * WORD)

__kernel void transpose(__global const ELEMENT *in, __global ELEMENT *out, long rows, long cols)
{
    local_array ELEMENT tile[READ_STEPS * READ_STEP * PITCH];
    int item = get_local_id(0);
    long first_row = (long)get_group_id(0) * HEIGHT - (SLANT - 1);
    long first_col = get_group_id(1) * (WIDTH - LOAD + 1);

    // The tile's rows from `top` to before `bottom`, and its columns before `right`, are in the matrix.
    int top = (int)max(-first_row, (long)0);
    int bottom = (int)min(rows - first_row, (long)(HEIGHT + SLANT - 1));
    int right = (int)min(cols - first_col, (long)(WIDTH - LOAD + 1));

    // All that an item loads is aligned alike, as READ_STEP is a multiple of LOAD.
    int down = item / READERS;
    int across = item % READERS * LOAD;
    long start = (first_row + down) * cols + first_col;
    // begin read
    int skew = (int)start & (LOAD - 1);
    long at = start - skew + across;
    // end read
    int begin = (max(top - down, 0) + READ_STEP - 1) / READ_STEP; // of the item's steps down the tile
    int end = first_col + across - skew < cols ? (bottom - down + READ_STEP - 1) / READ_STEP : 0;
    long last = at + (end - 1) * (READ_STEP * cols);
    bool beyond = begin < end && last + LOAD > rows * cols; // the array's end is in the midst of the last load
    if (beyond)
        end--;

    __global const WORD_OF(READ) *from = (__global const WORD_OF(READ) *)in + at / LOAD;
    WORD_OF(READ) read[READ_STEPS];
#pragma unroll
    for (int k = 0; k < READ_STEPS; k++) {
        if (k >= begin && k < end)
            read[k] = LOAD_WORD(from);
        from += READ_STEP * cols / LOAD;
    }
    local_pointer ELEMENT *place = tile + down * PITCH + LOAD - 1 - skew + across;
#pragma unroll
    for (int k = 0; k < READ_STEPS; k++) {
#pragma unroll
        for (int i = 0; i < LOAD; i++)
            place[k * READ_STEP * PITCH + i] = ((ELEMENT *)&read[k])[i];
    }
    if (beyond)
        for (int i = 0; i < LOAD; i++)
            if (last + i < rows * cols)
                place[end * READ_STEP * PITCH + i] = in[last + i];
    barrier(CLK_LOCAL_MEM_FENCE); // the whole tile is stored before a column of it is read

    start = (first_col + item / WRITERS) * rows; // of the output's row
    for (int col = item / WRITERS; col < right; col += WRITE_STEP) {
        down = SLANT - 1 - ((int)start & (SLANT - 1)) + item % WRITERS * STORE;
        local_pointer const ELEMENT *column = tile + down * PITCH + LOAD - 1 + col;
        long to = start + first_row + down;
        if (down >= top && down + STORE <= bottom) {
            WORD_OF(WRITE) word;
#pragma unroll
            for (int i = 0; i < STORE; i++)
                ((ELEMENT *)&word)[i] = column[i * PITCH];
            STORE_WORD(&((__global WORD_OF(WRITE) *)out)[to / STORE], word);
        } else
            for (int i = 0; i < STORE; i++)
                if (down + i >= top && down + i < bottom)
                    out[to + i] = column[i * PITCH];
        start += WRITE_STEP * rows;
    }
}
