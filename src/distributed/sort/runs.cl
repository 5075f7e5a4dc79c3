// Sorted runs of several devices: where to split them, and how to merge two. The order of keys is that of
// kernels/sort/order.h.

#if ELEMENT_BYTES == 8
typedef ulong KEY;
#else
typedef uint KEY;
#endif
#define SIGN (8 * ELEMENT_BYTES - 1)
#define TO_KEY(bits) (((bits) ^ always ^ ((bits) >> SIGN ? negative : 0)) - below)
#define BINS 256

// The number of keys of a sorted run below `key` (or up to it, with `equal`).
long count_less(__global const KEY *run, long n, KEY key, int equal, KEY negative, KEY always, KEY below)
{
    long low = 0, high = n;
    while (low < high) {
        long middle = (low + high) / 2;
        KEY word = run[middle];
        KEY other = TO_KEY(word);
        if (other < key || (equal && other == key))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Group b finds the key of rank ranks[b] over all runs, 8 bits at a time, with one candidate per item. It also writes
// cuts[b * count + i]: the keys of run i below that rank. `runs` has the address of each run, then their lengths.
__kernel group_shape(BINS, 1, 1) void find_cuts(__global const long *runs, __global const long *ranks,
                                                __global long *cuts, int count, KEY negative, KEY always, KEY below)
{
    local_array int best[BINS];
    const int item = get_local_id(0);
    const long rank = ranks[get_group_id(0)];
    KEY prefix = 0;
    for (int shift = 8 * ELEMENT_BYTES - 8; shift >= 0; shift -= 8) {
        KEY candidate = prefix | ((KEY)item << shift);
        long less = 0;
        for (int i = 0; i < count; i++)
            less += count_less((__global const KEY *)(ulong)runs[i], runs[count + i], candidate, 0, negative, always,
                               below);
        best[item] = less <= rank ? item : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int reach = BINS / 2; reach > 0; reach /= 2) {
            if (item < reach)
                best[item] = max(best[item], best[item + reach]);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        prefix |= (KEY)best[0] << shift;
        barrier(CLK_LOCAL_MEM_FENCE); // all have read best[0]
    }
    if (item > 0)
        return;
    long left = rank;
    for (int i = 0; i < count; i++)
        left -= count_less((__global const KEY *)(ulong)runs[i], runs[count + i], prefix, 0, negative, always, below);
    for (int i = 0; i < count; i++) { // of equal keys, the first devices' come first
        __global const KEY *run = (__global const KEY *)(ulong)runs[i];
        long less = count_less(run, runs[count + i], prefix, 0, negative, always, below);
        long same = count_less(run, runs[count + i], prefix, 1, negative, always, below) - less;
        long taken = min(same, left);
        cuts[get_group_id(0) * count + i] = less + taken;
        left -= taken;
    }
}

// Item i: how many keys are below candidate i, and how many are not above it.
__kernel void tally(__global const KEY *run, long n, __global const ulong *candidates, __global ulong *tallies,
                    int count, KEY negative, KEY always, KEY below)
{
    int i = get_global_id(0);
    if (i >= count)
        return;
    KEY candidate = (KEY)candidates[i];
    tallies[2 * i] = count_less(run, n, candidate, 0, negative, always, below);
    tallies[2 * i + 1] = count_less(run, n, candidate, 1, negative, always, below);
}

// starts[t]: the number of the first t * TILE keys of both runs together that come from a.
__kernel void find_starts(long a_at, long a_count, long b_at, long b_count, __global long *starts, long tiles,
                          KEY negative, KEY always, KEY below)
{
    long t = get_global_id(0);
    if (t > tiles)
        return;
    __global const KEY *a = (__global const KEY *)(ulong)a_at, *b = (__global const KEY *)(ulong)b_at;
    long place = min(t * TILE, a_count + b_count);
    long low = max((long)0, place - b_count), high = min(place, a_count);
    while (low < high) {
        long middle = (low + high) / 2;
        KEY of_a = a[middle], of_b = b[place - 1 - middle];
        if (TO_KEY(of_a) <= TO_KEY(of_b))
            low = middle + 1;
        else
            high = middle;
    }
    starts[t] = low;
}

// Merges runs a and b into `out`, from out_begin on; a group a tile.
__kernel group_shape(GROUP, 1, 1) void merge(long a_at, long a_count, long b_at, long b_count, __global KEY *out,
                                             long out_begin, __global const long *starts, KEY negative, KEY always,
                                             KEY below)
{
    local_array KEY keys[TILE];
    const int item = get_local_id(0);
    const long tile = get_group_id(0), first = tile * TILE, all = a_count + b_count;
    const int size = (int)min(all - first, (long)TILE);
    const long a_from = starts[tile], b_from = first - a_from;
    const int a_size = (int)(starts[tile + 1] - a_from), b_size = size - a_size;
    __global const KEY *a = (__global const KEY *)(ulong)a_at + a_from;
    __global const KEY *b = (__global const KEY *)(ulong)b_at + b_from;
    for (int i = item; i < size; i += GROUP) {
        KEY word = i < a_size ? a[i] : b[i - a_size];
        keys[i] = TO_KEY(word);
    }
    barrier(CLK_LOCAL_MEM_FENCE); // the tile's keys of both runs are there
    const int place = min(item * ITEMS, size);
    int low = max(0, place - b_size), high = min(place, a_size);
    while (low < high) {
        int middle = (low + high) / 2;
        if (keys[middle] <= keys[a_size + place - 1 - middle])
            low = middle + 1;
        else
            high = middle;
    }
    int at_a = low, at_b = a_size + place - low;
    KEY merged[ITEMS];
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        bool from_a = at_b >= size || (at_a < a_size && keys[at_a] <= keys[at_b]);
        if (place + k < size)
            merged[k] = from_a ? keys[at_a] : keys[at_b];
        at_a += from_a;
        at_b += !from_a;
        at_a = min(at_a, TILE - 1);
        at_b = min(at_b, size);
    }
    barrier(CLK_LOCAL_MEM_FENCE); // all have read before the merged keys take their places
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
        if (place + k < size)
            keys[place + k] = merged[k];
    barrier(CLK_LOCAL_MEM_FENCE); // the merged tile is whole
    for (int i = item; i < size; i += GROUP) {
        KEY flipped = (keys[i] + below) ^ always;
        out[out_begin + first + i] = flipped ^ (flipped >> SIGN ? negative : 0);
    }
}
