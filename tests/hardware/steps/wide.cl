// rung:    wide
// idea:    wide, with each of its steps as a parameter: double sums, words of 16 bytes, the hint, loads under way
// tune:    DOUBLES = 1 in 0 1; ACROSS = 4 in 1 4; EVICT_FIRST = 1 in 0 1
// tune:    GROUP = 256 in 128 256 512 1024
// tune:    GROUPS = 528 * (1 + 3 * (n * element_bytes > 134217728)) in 264 528 1056 2112 4224 8448
// tune:    UNROLL = 1 + (n * element_bytes > 16777216) + 2 * (n * element_bytes > 134217728) in 1 2 4 8
// group:   GROUP
// groups:  max(1, min(GROUPS, ceil(n / (ACROSS * GROUP * UNROLL))))
// entry:   dot_product
// args:    a, b, scratch, n
// scratch: 8 * GROUPS
// bound:   (ceil(n / GROUPS) + 2 * GROUP + GROUPS) * (DOUBLES / 9007199254740992 + (1 - DOUBLES) * epsilon * 1.01)
// require: element_bytes == 4, works on float only
// needs:   double

// What the rung does apart: DOUBLES, sums in double, where products of floats are exact; ACROSS, the floats of a load;
// EVICT_FIRST, the hint of a load; UNROLL, the loads of each array that are under way in an item.

#if DOUBLES
#define SUMS double
#else
#define SUMS float
#endif

#if ACROSS == 4
#define WORD VECTOR(ELEMENT, 4)
#else
#define WORD ELEMENT
#endif

#if EVICT_FIRST
#define LOAD(at) load_evict_first(at)
#else
#define LOAD(at) (*(at))
#endif

SUMS product(WORD a, WORD b)
{
#if ACROSS == 4
    return ((SUMS)a.x * b.x + (SUMS)a.y * b.y) + ((SUMS)a.z * b.z + (SUMS)a.w * b.w);
#else
    return (SUMS)a * b;
#endif
}

// Leaves the sum of the group's items in sums[0].
void add_group(local_pointer SUMS *sums, int item)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int reach = GROUP / 2; reach > 0; reach /= 2) {
        if (item < reach)
            sums[item] += sums[item + reach];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// All the loads of a step come before their first use.
__kernel group_shape(GROUP, 1, 1) void dot_product(__global const ELEMENT *restrict a,
                                                   __global const ELEMENT *restrict b, __global SUMS *partial, long n)
{
    local_array SUMS sums[GROUP];
    __global const WORD *restrict wide_a = (__global const WORD *)a;
    __global const WORD *restrict wide_b = (__global const WORD *)b;
    const int item = get_local_id(0);
    const long words = n / ACROSS;
    const long step = (long)get_num_groups(0) * GROUP * UNROLL;
    SUMS sum = 0;
    long word = (long)get_group_id(0) * GROUP * UNROLL + item;
    for (; word + (UNROLL - 1) * GROUP < words; word += step) {
        WORD left[UNROLL], right[UNROLL];
#pragma unroll
        for (int k = 0; k < UNROLL; k++) {
            left[k] = LOAD(&wide_a[word + k * GROUP]);
            right[k] = LOAD(&wide_b[word + k * GROUP]);
        }
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            sum += product(left[k], right[k]);
    }
    for (int k = 0; k < UNROLL; k++)
        if (word + k * GROUP < words)
            sum += product(wide_a[word + k * GROUP], wide_b[word + k * GROUP]);
    const long rest = words * ACROSS + get_global_id(0);
    if (rest < n)
        sum += (SUMS)a[rest] * b[rest];
    sums[item] = sum;
    add_group(sums, item);
    if (item == 0)
        partial[get_group_id(0)] = sums[0];
}

__kernel group_shape(GROUP, 1, 1) void finish(__global const SUMS *partial, __global double *result, long groups)
{
    local_array SUMS sums[GROUP];
    const int item = get_local_id(0);
    SUMS sum = 0;
    for (long i = item; i < groups; i += GROUP)
        sum += partial[i];
    sums[item] = sum;
    add_group(sums, item);
    if (item == 0)
        result[0] = sums[0];
}
