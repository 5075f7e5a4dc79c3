// The vectors are divided into leaves whose length depends only on n. Each group sums one leaf, in an order that
// depends only on the leaf's length. So a leaf's sum has the same bits on any device.

#if ELEMENT_BYTES == 8
#define WIDTH 2
#else
#define WIDTH 4
#endif
#if ELEMENT_BYTES == 2
#define BITS ushort // what an element is stored as
#else
#define BITS ELEMENT
#endif
union word {
    VECTOR(BITS, WIDTH) whole;
    BITS elements[WIDTH];
};

// Sums the group's items into sums[0].
void add_group(local_pointer double *sums, int item)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int reach = GROUP / 2; reach > 0; reach /= 2) {
        if (item < reach)
            sums[item] += sums[item + reach];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// Sums the leaf of this group into sums[0]. n: elements on this device. leaf: elements of every leaf but the last, a
// multiple of GROUP * WIDTH * UNROLL.
void add_leaf(__global const ELEMENT *restrict a, __global const ELEMENT *restrict b, long n, long leaf,
              local_pointer double *sums)
{
    const int item = get_local_id(0);
    const long begin = (long)get_group_id(0) * leaf, end = min(n, begin + leaf);
    double sum = 0;
    long i = begin + item * WIDTH;
    for (; i + (long)(UNROLL - 1) * GROUP * WIDTH + WIDTH <= end; i += (long)UNROLL * GROUP * WIDTH) {
        union word left[UNROLL], right[UNROLL];
#pragma unroll
        for (int k = 0; k < UNROLL; k++) {
            left[k].whole = load_evict_first((__global const VECTOR(BITS, WIDTH) *)(a + i + k * GROUP * WIDTH));
            right[k].whole = load_evict_first((__global const VECTOR(BITS, WIDTH) *)(b + i + k * GROUP * WIDTH));
        }
#pragma unroll
        for (int k = 0; k < UNROLL; k++) {
#pragma unroll
            for (int e = 0; e < WIDTH; e++)
                sum += (double)load_element((const ELEMENT *)left[k].elements, e) *
                       load_element((const ELEMENT *)right[k].elements, e);
        }
    }
    for (int k = 0; k < UNROLL; k++)
        for (int e = 0; e < WIDTH; e++) {
            long at = i + (long)k * GROUP * WIDTH + e;
            if (at < end)
                sum += (double)load_element(a, at) * load_element(b, at);
        }
    sums[item] = sum;
    add_group(sums, item);
}

// The sum of leaf i is stored to the i-th double of `leaves`.
__kernel group_shape(GROUP, 1, 1) void add_leaves(__global const ELEMENT *restrict a,
                                                  __global const ELEMENT *restrict b, __global double *leaves, long n,
                                                  long leaf)
{
    local_array double sums[GROUP];
    add_leaf(a, b, n, leaf, sums);
    if (get_local_id(0) == 0)
        leaves[get_group_id(0)] = sums[0];
}

// The same for doubles at `address`, which may be in a peer's memory.
__kernel group_shape(GROUP, 1, 1) void store_leaves(__global const ELEMENT *restrict a,
                                                    __global const ELEMENT *restrict b, ulong address, long n,
                                                    long leaf)
{
    local_array double sums[GROUP];
    add_leaf(a, b, n, leaf, sums);
    if (get_local_id(0) == 0)
        ((__global double *)address)[get_group_id(0)] = sums[0];
}

// Sums all leaves with one group, always in the same order, into sums[0]. Many loads are under way at once, as the
// leaves may lie in a peer's memory.
#define AT_ONCE 16
void add_all(__global const double *leaves, long count, local_pointer double *sums)
{
    const int item = get_local_id(0);
    double sum = 0;
    for (long i = item; i < count; i += AT_ONCE * GROUP) {
        double loaded[AT_ONCE];
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++)
            loaded[k] = i + k * GROUP < count ? leaves[i + k * GROUP] : 0;
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++)
            sum += loaded[k];
    }
    sums[item] = sum;
    add_group(sums, item);
}

__kernel group_shape(GROUP, 1, 1) void add_sums(__global const double *leaves, __global double *result, long count)
{
    local_array double sums[GROUP];
    add_all(leaves, count, sums);
    if (get_local_id(0) == 0)
        result[0] = sums[0];
}

// A group for each device, behind its leaves: copies their `own_count` sums to `leaves`, the address of the sums of all
// devices, from first_leaf on; they may lie there already. The last of `devices` groups adds all `count` up, on
// whatever device it is. `done` is the address of the number of groups that are ready, 0 before and afterwards.
__kernel group_shape(GROUP, 1, 1) void collect_leaves(__global const double *own, long own_count, ulong leaves,
                                                      long first_leaf, long count, int devices, ulong done,
                                                      ulong result)
{
    local_array double sums[GROUP];
    local_array int is_last;
    __global double *all = (__global double *)leaves;
    __global uint *ready = (__global uint *)done;
    if (all + first_leaf != own)
        for (long i = get_local_id(0); i < own_count; i += GROUP)
            all[first_leaf + i] = own[i];
    fence_devices();
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); // all have stored
    if (get_local_id(0) == 0)
        is_last = atomic_add_devices(ready, 1) == devices - 1;
    barrier(CLK_LOCAL_MEM_FENCE); // all know whether to go on
    if (!is_last)
        return;
    fence_devices();
    add_all(all, count, sums);
    if (get_local_id(0) == 0) {
        ((__global double *)result)[0] = sums[0];
        ready[0] = 0;
    }
}
