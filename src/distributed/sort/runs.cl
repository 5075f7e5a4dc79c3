// Sorted runs of several devices: where to split them, and how to merge two. The order of keys is that of
// kernels/sort/order.h.

#if ELEMENT_BYTES == 8
typedef ulong KEY;
#else
typedef uint KEY;
#endif
#define SIGN (8 * ELEMENT_BYTES - 1)
#define TO_KEY(bits) (((bits) ^ always ^ ((bits) >> SIGN ? negative : 0)) - below)
#define FROM_KEY(key) ((((key) + below) ^ always) ^ ((((key) + below) ^ always) >> SIGN ? negative : 0))
#define BINS 16 // more of them would find a key in fewer rounds, and keep the links busy: 256 take four times as long
#define DIGIT 4 // bits
#define LANES 4 // runs that are searched at once
#define RUNS_MOST 16 // as many as devices in a group

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

// Group b finds the key of rank ranks[b] over all runs, DIGIT bits at a time. An item searches one run for one
// candidate, so that the searches, which wait for a peer's memory at every step, run at the same time; LANES runs at
// once. After each digit only the part of a run between two candidates is left. The group also writes cuts[b * count +
// i]: the keys of run i below that rank. `runs` has the address of each run, then their lengths.
__kernel group_shape(BINS *LANES, 1, 1) void find_cuts(__global const long *runs, __global const long *ranks,
                                                       __global long *cuts, int count, KEY negative, KEY always,
                                                       KEY below)
{
    local_array long found[RUNS_MOST][BINS]; // keys of a run below a candidate
    local_array long lows[RUNS_MOST], highs[RUNS_MOST];
    local_array int best[BINS];
    const int item = (int)get_local_id(0), bin = item % BINS, lane = item / BINS;
    const long rank = ranks[get_group_id(0)];
    KEY prefix = 0;
    if (item < count) {
        lows[item] = 0;
        highs[item] = runs[count + item];
    }
    for (int shift = 8 * ELEMENT_BYTES - DIGIT; shift >= 0; shift -= DIGIT) {
        barrier(CLK_LOCAL_MEM_FENCE); // the bounds are there, and all have read best[0]
        KEY candidate = prefix | ((KEY)bin << shift);
        for (int i = lane; i < count; i += LANES)
            found[i][bin] = lows[i] + count_less((__global const KEY *)(ulong)runs[i] + lows[i], highs[i] - lows[i],
                                                 candidate, 0, negative, always, below);
        barrier(CLK_LOCAL_MEM_FENCE); // each run was searched for each candidate
        if (lane == 0) {
            long less = 0;
            for (int i = 0; i < count; i++)
                less += found[i][bin];
            best[bin] = less <= rank ? bin : 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int reach = BINS / 2; reach > 0; reach /= 2) {
            if (item < reach)
                best[item] = max(best[item], best[item + reach]);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (item < count) {
            lows[item] = found[item][best[0]];
            if (best[0] + 1 < BINS)
                highs[item] = found[item][best[0] + 1];
        }
        prefix |= (KEY)best[0] << shift;
    }
    barrier(CLK_LOCAL_MEM_FENCE); // the last bounds are there
    if (item > 0)
        return;
    long left = rank; // between the bounds lie the keys equal to the one of this rank
    for (int i = 0; i < count; i++)
        left -= lows[i];
    for (int i = 0; i < count; i++) { // of equal keys, the first devices' come first
        long taken = min(highs[i] - lows[i], left);
        cuts[get_group_id(0) * count + i] = lows[i] + taken;
        left -= taken;
    }
}

// Item i: how many keys are below a candidate, of which each splitter has `each`: its key with 1, 2, … at `shift`. With
// `last` it has two: its key, and that again for the keys that are not above it.
__kernel void tally(__global const KEY *run, long n, __global const ulong *keys, __global ulong *counts, int count,
                    int each, int shift, int last, KEY negative, KEY always, KEY below)
{
    int i = get_global_id(0), step = i % each;
    if (i >= count)
        return;
    KEY candidate = (KEY)keys[i / each];
    if (!last)
        candidate |= (KEY)((KEY)(step + 1) << shift);
    counts[i] = count_less(run, n, candidate, last && step, negative, always, below);
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

// Merges runs a and b into the memory at `out_at`; a group a tile. ITEMS is odd: items that are ITEMS words apart
// then use different banks of local memory. In a whole tile all loads of an item are under way before the first is
// used, as a peer's memory is far, and all its stores follow each other.
__kernel group_shape(GROUP, 1, 1) void merge(long a_at, long a_count, long b_at, long b_count, long out_at,
                                             __global const long *starts, KEY negative, KEY always, KEY below)
{
    __global KEY *out = (__global KEY *)(ulong)out_at;
    local_array KEY keys[TILE + 1]; // the last is read, not used
    const int item = get_local_id(0);
    const long tile = get_group_id(0), first = tile * TILE, all = a_count + b_count;
    const int size = (int)min(all - first, (long)TILE);
    const long a_from = starts[tile], b_from = first - a_from;
    const int a_size = (int)(starts[tile + 1] - a_from), b_size = size - a_size;
    __global const KEY *a = (__global const KEY *)(ulong)a_at + a_from;
    __global const KEY *b = (__global const KEY *)(ulong)b_at + b_from - a_size;
    KEY words[ITEMS];
    if (size == TILE) {
#pragma unroll
        for (int k = 0; k < ITEMS; k++)
            words[k] = (item + k * GROUP < a_size ? a : b)[item + k * GROUP];
#pragma unroll
        for (int k = 0; k < ITEMS; k++)
            keys[item + k * GROUP] = TO_KEY(words[k]);
    } else
        for (int i = item; i < size; i += GROUP) {
            KEY word = (i < a_size ? a : b)[i];
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
    KEY of_a = keys[at_a], of_b = keys[at_b];
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        bool from_a = at_b >= size || (at_a < a_size && of_a <= of_b);
        words[k] = from_a ? of_a : of_b;
        at_a += from_a;
        at_b += !from_a;
        KEY next = keys[min(from_a ? at_a : at_b, TILE)];
        of_a = from_a ? next : of_a;
        of_b = from_a ? of_b : next;
    }
    barrier(CLK_LOCAL_MEM_FENCE); // all have read before the merged keys take their places
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
        if (place + k < size)
            keys[place + k] = words[k];
    barrier(CLK_LOCAL_MEM_FENCE); // the merged tile is whole
    if (size == TILE) {
#pragma unroll
        for (int k = 0; k < ITEMS; k++)
            out[first + item + k * GROUP] = FROM_KEY(keys[item + k * GROUP]);
    } else
        for (int i = item; i < size; i += GROUP)
            out[first + i] = FROM_KEY(keys[i]);
}
