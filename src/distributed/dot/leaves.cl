// The vectors are divided into leaves whose length depends only on n. Each group sums one leaf, in an order that
// depends only on the leaf's length. So a leaf's sum has the same bits on any device.

#if ELEMENT_BYTES == 4
#define WIDTH 4
#else
#define WIDTH 2
#endif
union word {
    VECTOR(ELEMENT, WIDTH) whole;
    ELEMENT elements[WIDTH];
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
            left[k].whole = load_evict_first((__global const VECTOR(ELEMENT, WIDTH) *)(a + i + k * GROUP * WIDTH));
            right[k].whole = load_evict_first((__global const VECTOR(ELEMENT, WIDTH) *)(b + i + k * GROUP * WIDTH));
        }
#pragma unroll
        for (int k = 0; k < UNROLL; k++) {
#pragma unroll
            for (int e = 0; e < WIDTH; e++)
                sum += (double)left[k].elements[e] * right[k].elements[e];
        }
    }
    for (int k = 0; k < UNROLL; k++)
        for (int e = 0; e < WIDTH; e++) {
            long at = i + (long)k * GROUP * WIDTH + e;
            if (at < end)
                sum += (double)a[at] * b[at];
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

// Sums all leaves with one group, always in the same order.
__kernel group_shape(GROUP, 1, 1) void add_sums(__global const double *leaves, __global double *result, long count)
{
    local_array double sums[GROUP];
    const int item = get_local_id(0);
    double sum = 0;
    for (long i = item; i < count; i += GROUP)
        sum += leaves[i];
    sums[item] = sum;
    add_group(sums, item);
    if (item == 0)
        result[0] = sums[0];
}
