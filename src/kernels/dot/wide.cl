// rung:    wide
// idea:    16-byte loads, several under way in each item, into double accumulators: memory's rate, and exact products
// tune:    GROUP = 256 in 128 256 512 1024
// tune:    GROUPS = 528 * (1 + (n * element_bytes <= 16777216) + 3 * (n * element_bytes > 134217728)) - 1055 * (n * element_bytes <= 16384) in 1 264 528 1056 2112 4224 8448
// tune:    UNROLL = 1 + (n * element_bytes > 16777216) + 2 * (n * element_bytes > 134217728) in 1 2 4 8
// group:   GROUP
// groups:  max(1, min(GROUPS, ceil(n * element_bytes / (16 * GROUP * UNROLL))))
// entry:   dot_product
// takes:   f16 bf16
// args:    a, b, scratch, n
// scratch: 8 * GROUPS
// bound:   (ceil(n / GROUPS) + 2 * GROUP + GROUPS) / 9007199254740992
// needs:   double

#define WIDTH (16 / ELEMENT_BYTES)
#if ELEMENT_BYTES == 2
#define WORD uint4
#elif ELEMENT_BYTES == 4
#define WORD VECTOR(ELEMENT, 4)
#else
#define WORD VECTOR(ELEMENT, 2)
#endif

double product(WORD a, WORD b)
{
#if ELEMENT_BYTES == 2
    const ELEMENT *left = (const ELEMENT *)&a, *right = (const ELEMENT *)&b;
    double sum = 0;
#pragma unroll
    for (int i = 0; i < WIDTH; i++)
        sum += (double)load_element(left, i) * load_element(right, i);
    return sum;
#elif ELEMENT_BYTES == 4
    return ((double)a.x * b.x + (double)a.y * b.y) + ((double)a.z * b.z + (double)a.w * b.w);
#else
    return (double)a.x * b.x + (double)a.y * b.y;
#endif
}

#if HAS_SUB_GROUPS
// The sum of the group's items, in item 0. The first sub-group adds the others' sums.
double add_group(double sum, local_pointer double *sums)
{
    const uint size = get_sub_group_size(), lane = get_sub_group_local_id();
    for (uint offset = size / 2; offset > 0; offset /= 2)
        sum += sub_group_shuffle_down(sum, offset);
    if (lane == 0)
        sums[get_sub_group_id()] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_sub_group_id() == 0) {
        sum = 0;
        for (uint other = lane; other < get_num_sub_groups(); other += size)
            sum += sums[other];
        for (uint offset = size / 2; offset > 0; offset /= 2)
            sum += sub_group_shuffle_down(sum, offset);
    }
    return sum;
}
#else
// This runtime has no shuffles.
double add_group(double sum, local_pointer double *sums)
{
    const int item = get_local_id(0);
    sums[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int reach = GROUP / 2; reach > 0; reach /= 2) {
        if (item < reach)
            sums[item] += sums[item + reach];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return sums[0];
}
#endif

// All the loads of a step come before their first use.
__kernel group_shape(GROUP, 1, 1) void dot_product(__global const ELEMENT *restrict a,
                                                   __global const ELEMENT *restrict b, __global double *partial, long n)
{
    local_array double sums[GROUP];
    __global const WORD *restrict wide_a = (__global const WORD *)a;
    __global const WORD *restrict wide_b = (__global const WORD *)b;
    const int item = get_local_id(0);
    const long words = n / WIDTH;
    const long step = (long)get_num_groups(0) * GROUP * UNROLL;
    double sum = 0;
    long word = (long)get_group_id(0) * GROUP * UNROLL + item;
    for (; word + (UNROLL - 1) * GROUP < words; word += step) {
        // begin loads
        WORD left[UNROLL], right[UNROLL];
#pragma unroll
        for (int k = 0; k < UNROLL; k++) {
            left[k] = load_evict_first(&wide_a[word + k * GROUP]);
            right[k] = load_evict_first(&wide_b[word + k * GROUP]);
        }
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            sum += product(left[k], right[k]);
        // end loads
    }
    for (int k = 0; k < UNROLL; k++)
        if (word + k * GROUP < words)
            sum += product(wide_a[word + k * GROUP], wide_b[word + k * GROUP]);
    const long rest = words * WIDTH + get_global_id(0);
    if (rest < n)
        sum += (double)load_element(a, rest) * load_element(b, rest);
    sum = add_group(sum, sums);
    if (item == 0)
        partial[get_group_id(0)] = sum;
}

__kernel group_shape(GROUP, 1, 1) void finish(__global const double *partial, __global double *result, long groups)
{
    local_array double sums[GROUP];
    wait_for_launch_before();
    const int item = get_local_id(0);
    double sum = 0;
    for (long i = item; i < groups; i += GROUP)
        sum += partial[i];
    sum = add_group(sum, sums);
    if (item == 0)
        result[0] = sum;
}
