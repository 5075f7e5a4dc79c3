// rung:    bitonic-registers
// takes:   order
// idea:    an item holds 8 keys in registers: three steps per visit to local memory, four per visit to global memory
// tune:    GROUP = 64 * (1 + (n > 512) + 2 * (n > 1024) + 4 * (n > 2048) * (element_bytes < 8)) in 64 128 256 512
// group:   GROUP
// groups:  ceil(n / (8 * GROUP))
// entry:   exchange
//
// Keys (order.h) lie in memory between the launches; the first makes them of the elements' bits, the last turns them
// back, and the others get 0 for `negative`, `always` and `below`. Elements that fit one block need one launch only.
// Steps among items of a sub-group could go through shuffles; but a shuffle costs as much as an access to local memory
// and does one step, where a visit with 8 keys does three.

#if ELEMENT_BYTES == 8
typedef ulong KEY;
#else
typedef uint KEY;
#endif
#define SIGN (8 * ELEMENT_BYTES - 1)
#define TO_KEY(bits) (((bits) ^ always ^ ((bits) >> SIGN ? negative : 0)) - below)
#define TO_BITS(key) TO_BITS_OF_FLIPPED(((key) + below) ^ always)
#define TO_BITS_OF_FLIPPED(flipped) ((flipped) ^ ((flipped) >> SIGN ? negative : 0))

#define PER_ITEM 8
#define WIDE 16
#define BLOCK (PER_ITEM * GROUP)
// Local memory with a word left free after every 8, so that an item's 8 neighbouring keys are in banks of their own.
#define AT(i) ((i) + ((i) >> 3))
#define PADDED AT(BLOCK)

// log2(GROUP) steps are left for the visits of a merge; the first does what three do not divide.
#if GROUP == 128
#define FIRST_STEPS 1
#elif GROUP == 256
#define FIRST_STEPS 2
#else
#define FIRST_STEPS 3
#endif

void compare(KEY *a, KEY *b, int ascending)
{
    KEY low = *a < *b ? *a : *b, high = *a < *b ? *b : *a;
    *a = ascending ? low : high;
    *b = ascending ? high : low;
}

// The step with this distance among an item's `count` keys.
void item_step(KEY *v, int count, int distance, int ascending)
{
#pragma unroll
    for (int e = 0; e < count; e++)
        if ((e & distance) == 0)
            compare(&v[e], &v[e | distance], ascending);
}

void load(KEY *v, local_pointer const KEY *keys, int first, int stride)
{
#pragma unroll
    for (int e = 0; e < PER_ITEM; e++)
        v[e] = keys[AT(first + e * stride)];
}

void store(const KEY *v, local_pointer KEY *keys, int first, int stride)
{
#pragma unroll
    for (int e = 0; e < PER_ITEM; e++)
        keys[AT(first + e * stride)] = v[e];
}

// All steps of k from j down to 1 among the keys of a group, which begin at `begin`: the first `steps` of them (1 to 3)
// in the first visit, and then three per visit. Begins and ends with the keys in local memory.
void visits(local_pointer KEY *keys, long begin, int j, int steps, long k)
{
    KEY v[PER_ITEM];
    while (j > 0) {
        int item = get_local_id(0), stride = j >> 2;
        int first = (item & ~(stride - 1)) * PER_ITEM + (item & (stride - 1));
        int ascending = ((begin + first) & k) == 0;
        // begin visit
        barrier(CLK_LOCAL_MEM_FENCE);
        load(v, keys, first, stride);
        item_step(v, PER_ITEM, 4, ascending);
        if (steps >= 2)
            item_step(v, PER_ITEM, 2, ascending);
        if (steps >= 3)
            item_step(v, PER_ITEM, 1, ascending);
        store(v, keys, first, stride);
        j >>= steps;
        steps = 3;
        // end visit
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Sorts an item's keys, as the steps of k = 2, 4 and 8 do.
void sort_item(KEY *v, int ascending)
{
#pragma unroll
    for (int e = 0; e < PER_ITEM; e += 2)
        compare(&v[e], &v[e + 1], (e & 2) == 0);
#pragma unroll
    for (int e = 0; e < PER_ITEM; e++)
        if ((e & 2) == 0)
            compare(&v[e], &v[e + 2], (e & 4) == 0);
#pragma unroll
    for (int e = 0; e < PER_ITEM; e += 2)
        compare(&v[e], &v[e + 1], (e & 4) == 0);
    item_step(v, PER_ITEM, 4, ascending);
    item_step(v, PER_ITEM, 2, ascending);
    item_step(v, PER_ITEM, 1, ascending);
}

// Elements beyond `count` are the greatest key. A single block becomes elements again, and needs no steps among those
// beyond `count`.
__kernel group_shape(GROUP, 1, 1) void sort_blocks(__global const KEY *source, __global KEY *target, KEY negative,
                                                   KEY always, KEY below, long count)
{
    local_array KEY keys[PADDED];
    KEY v[PER_ITEM];
    long begin = (long)get_group_id(0) * BLOCK;
    int item = get_local_id(0);
    for (int i = item; i < BLOCK; i += GROUP) {
        KEY bits = begin + i < count ? source[begin + i] : 0;
        keys[AT(i)] = begin + i < count ? TO_KEY(bits) : (KEY)-1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    load(v, keys, item * PER_ITEM, 1);
    sort_item(v, (item & 1) == 0);
    store(v, keys, item * PER_ITEM, 1);
    for (int k = 16, steps = 1; k <= BLOCK && k / 2 < count; k *= 2, steps = steps % 3 + 1)
        visits(keys, begin, k / 2, steps, k);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = item; i < BLOCK; i += GROUP)
        if (count > BLOCK)
            target[begin + i] = keys[AT(i)];
        else if (i < count)
            target[i] = TO_BITS(keys[AT(i)]);
}

// `steps` steps (1 to 4) from j on, beyond a block; an item holds 16 keys j / 8 apart.
__kernel group_shape(GROUP, 1, 1) void exchange(__global KEY *keys, long j, long k, int steps)
{
    KEY v[WIDE];
    wait_for_launch_before();
    long item = get_global_id(0), stride = j >> 3;
    long first = (item & ~(stride - 1)) * WIDE + (item & (stride - 1));
    int ascending = (first & k) == 0;
#pragma unroll
    for (int e = 0; e < WIDE; e++)
        v[e] = keys[first + e * stride];
    item_step(v, WIDE, 8, ascending);
    if (steps >= 2)
        item_step(v, WIDE, 4, ascending);
    if (steps >= 3)
        item_step(v, WIDE, 2, ascending);
    if (steps >= 4)
        item_step(v, WIDE, 1, ascending);
#pragma unroll
    for (int e = 0; e < WIDE; e++)
        keys[first + e * stride] = v[e];
}

// All steps of k with j within a block: the first three on the way in.
__kernel group_shape(GROUP, 1, 1) void merge_blocks(__global const KEY *source, __global KEY *target, KEY negative,
                                                    KEY always, KEY below, long count, long k)
{
    local_array KEY keys[PADDED];
    KEY v[PER_ITEM];
    wait_for_launch_before();
    long begin = (long)get_group_id(0) * BLOCK;
    int item = get_local_id(0), ascending = (begin & k) == 0;
#pragma unroll
    for (int e = 0; e < PER_ITEM; e++)
        v[e] = source[begin + item + e * GROUP];
    item_step(v, PER_ITEM, 4, ascending);
    item_step(v, PER_ITEM, 2, ascending);
    item_step(v, PER_ITEM, 1, ascending);
    store(v, keys, item, GROUP);
    visits(keys, begin, GROUP / 2, FIRST_STEPS, k);
    for (int i = item; i < BLOCK; i += GROUP)
        if (begin + i < count)
            target[begin + i] = TO_BITS(keys[AT(i)]);
}
