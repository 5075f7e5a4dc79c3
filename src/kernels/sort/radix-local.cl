// rung:    radix-local
// takes:   order
// idea:    no comparisons: 4 bits at a time, counted, summed up and moved, the order within a digit kept
// tune:    GROUP = 256 in 64 128 256; ITEMS = 8 in 4 8 16
// group:   GROUP
// groups:  ceil(n / (GROUP * ITEMS))
// entry:   move
// require: n < 4294967296, has 32 bits for a place: up to 4294967295 elements
//
// Between passes the keys of order.h lie in memory: the first pass makes them of the elements' bits (`from_bits`), the
// last turns them back (`to_bits`).

#if ELEMENT_BYTES == 8
typedef ulong KEY;
#else
typedef uint KEY;
#endif
#define SIGN (8 * ELEMENT_BYTES - 1)
#define TO_KEY(bits) (((bits) ^ always ^ ((bits) >> SIGN ? negative : 0)) - below)
#define TO_BITS(key) TO_BITS_OF_FLIPPED(((key) + below) ^ always)
#define TO_BITS_OF_FLIPPED(flipped) ((flipped) ^ ((flipped) >> SIGN ? negative : 0))

#define DIGITS 16
#define DIGIT(key) ((int)((key) >> shift) & (DIGITS - 1))
#define TILE (GROUP * ITEMS)
#define AT(i) ((i) + (i) / 8) // a word left free after every 8: items' neighbouring keys are in banks of their own
#define COPIES 16             // of the counters, so that items do not wait for each other
#define SUMMED 16             // counts that an item adds up at a time

// The sum of `value` over the items of the group below this one.
uint sum_below(uint value, local_pointer uint *sums)
{
    int item = get_local_id(0);
    uint sum = value;
    sums[item] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int distance = 1; distance < GROUP; distance *= 2) {
        uint other = item >= distance ? sums[item - distance] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += other;
        sums[item] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return sum - value;
}

// counts[digit][group]: this group's keys of each digit.
__kernel void count_digits(__global const KEY *source, __global uint *counts, KEY negative, KEY always, KEY below,
                           long n, int shift, int from_bits)
{
    local_array uint bins[DIGITS * COPIES];
    int item = get_local_id(0);
    long begin = (long)get_group_id(0) * TILE;
    for (int i = item; i < DIGITS * COPIES; i += GROUP)
        bins[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = item; i < TILE; i += GROUP)
        if (begin + i < n) {
            KEY word = source[begin + i];
            KEY key = from_bits ? TO_KEY(word) : word;
            atomic_add(&bins[DIGIT(key) * COPIES + item % COPIES], 1);
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < DIGITS) {
        uint sum = 0;
        for (int copy = 0; copy < COPIES; copy++)
            sum += bins[item * COPIES + copy];
        counts[item * get_num_groups(0) + get_group_id(0)] = sum;
    }
}

// One group makes of all counts the sums of those before them: where each group's keys of each digit begin.
__kernel void sum_up(__global uint *counts, long total)
{
    local_array uint sums[GROUP];
    int item = get_local_id(0);
    uint before = 0;
    for (long begin = 0; begin < total; begin += GROUP * SUMMED) {
        long first = begin + item * SUMMED;
        uint own = 0;
        for (int i = 0; i < SUMMED; i++)
            own += first + i < total ? counts[first + i] : 0;
        uint sum = before + sum_below(own, sums);
        before += sums[GROUP - 1];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < SUMMED; i++)
            if (first + i < total) {
                uint count = counts[first + i];
                counts[first + i] = sum;
                sum += count;
            }
    }
}

// Sorts a tile by the digit in local memory, so that each digit's keys then go out side by side.
__kernel void move(__global const KEY *source, __global KEY *target, __global const uint *starts, KEY negative,
                   KEY always, KEY below, long n, int shift, int from_bits, int to_bits)
{
    local_array KEY keys[AT(TILE)];
    local_array ushort places[DIGITS * GROUP]; // counts, then places, of each digit's keys of each item
    local_array uint sums[GROUP];
    local_array uint bases[DIGITS];
    KEY own[ITEMS];
    int item = get_local_id(0), nth[ITEMS];
    long begin = (long)get_group_id(0) * TILE;
    // Keys beyond the end are the greatest: they take the last places of the tile, and are not written.
    for (int i = item; i < TILE; i += GROUP) {
        KEY word = begin + i < n ? source[begin + i] : 0;
        keys[AT(i)] = begin + i >= n ? (KEY)-1 : from_bits ? TO_KEY(word) : word;
    }
    for (int digit = 0; digit < DIGITS; digit++)
        places[digit * GROUP + item] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    // begin count
    for (int i = 0; i < ITEMS; i++) {
        own[i] = keys[AT(item * ITEMS + i)];
        nth[i] = places[DIGIT(own[i]) * GROUP + item]++;
    }
    // end count
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0;
    for (int i = 0; i < DIGITS; i++)
        sum += places[item * DIGITS + i];
    sum = sum_below(sum, sums);
    for (int i = 0; i < DIGITS; i++) {
        uint count = places[item * DIGITS + i];
        places[item * DIGITS + i] = sum;
        sum += count;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    // begin place
    for (int i = 0; i < ITEMS; i++)
        keys[AT(places[DIGIT(own[i]) * GROUP + item] + nth[i])] = own[i];
    // end place
    if (item < DIGITS)
        bases[item] = starts[item * get_num_groups(0) + get_group_id(0)] - places[item * GROUP];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = item; i < TILE; i += GROUP)
        if (begin + i < n) {
            KEY key = keys[AT(i)];
            target[bases[DIGIT(key)] + (uint)i] = to_bits ? TO_BITS(key) : key;
        }
}
