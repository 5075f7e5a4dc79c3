// rung:    bitonic-local
// takes:   order
// idea:    what stays within 2 GROUP elements is done in local memory: one launch for many steps
// tune:    GROUP = 64 * (1 + (n > 128) + 2 * (n > 256) + 4 * (n > 512)) in 64 128 256 512 1024
// group:   GROUP
// groups:  ceil(n / (2 * GROUP))
// entry:   exchange
//
// Keys (order.h) lie in memory between the launches; the first makes them of the elements' bits, the last turns them
// back, and the others get 0 for `negative`, `always` and `below`. Elements that fit one block need one launch only.

#if ELEMENT_BYTES == 8
typedef ulong KEY;
#else
typedef uint KEY;
#endif
#define SIGN (8 * ELEMENT_BYTES - 1)
#define TO_KEY(bits) (((bits) ^ always ^ ((bits) >> SIGN ? negative : 0)) - below)
#define TO_BITS(key) TO_BITS_OF_FLIPPED(((key) + below) ^ always)
#define TO_BITS_OF_FLIPPED(flipped) ((flipped) ^ ((flipped) >> SIGN ? negative : 0))

#define BLOCK (2 * GROUP)

// Steps j, j / 2 … 1 of k among the keys of a group, which begin at `begin`; each item compares one pair.
void merge(local_pointer KEY *keys, long begin, int j, long k)
{
    // begin merge
    for (; j > 0; j /= 2) {
        int item = get_local_id(0), low = 2 * item - (item & (j - 1));
        barrier(CLK_LOCAL_MEM_FENCE);
        KEY a = keys[low], b = keys[low + j];
        if ((a > b) == (((begin + low) & k) == 0)) {
            keys[low] = b;
            keys[low + j] = a;
        }
    }
    // end merge
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Elements beyond `count` are the greatest key. A single block becomes elements again, and needs no steps among those
// beyond `count`.
__kernel group_shape(GROUP, 1, 1) void sort_blocks(__global const KEY *source, __global KEY *target, KEY negative,
                                                   KEY always, KEY below, long count)
{
    local_array KEY keys[BLOCK];
    long begin = (long)get_group_id(0) * BLOCK;
    for (int i = get_local_id(0); i < BLOCK; i += GROUP) {
        KEY bits = begin + i < count ? source[begin + i] : 0;
        keys[i] = begin + i < count ? TO_KEY(bits) : (KEY)-1;
    }
    for (int k = 2; k <= BLOCK && k / 2 < count; k *= 2)
        merge(keys, begin, k / 2, k);
    for (int i = get_local_id(0); i < BLOCK; i += GROUP)
        if (count > BLOCK)
            target[begin + i] = keys[i];
        else if (i < count)
            target[i] = TO_BITS(keys[i]);
}

// One step with j beyond a block; an item compares one pair.
__kernel group_shape(GROUP, 1, 1) void exchange(__global KEY *keys, long j, long k)
{
    wait_for_launch_before();
    long item = get_global_id(0);
    long low = 2 * item - (item & (j - 1));
    KEY a = keys[low], b = keys[low + j];
    if ((a > b) == ((low & k) == 0)) {
        keys[low] = b;
        keys[low + j] = a;
    }
}

// All steps of k with j within a block.
__kernel group_shape(GROUP, 1, 1) void merge_blocks(__global const KEY *source, __global KEY *target, KEY negative,
                                                    KEY always, KEY below, long count, long k)
{
    local_array KEY keys[BLOCK];
    wait_for_launch_before();
    long begin = (long)get_group_id(0) * BLOCK;
    for (int i = get_local_id(0); i < BLOCK; i += GROUP)
        keys[i] = source[begin + i];
    merge(keys, begin, BLOCK / 2, k);
    for (int i = get_local_id(0); i < BLOCK; i += GROUP)
        if (begin + i < count)
            target[begin + i] = TO_BITS(keys[i]);
}
