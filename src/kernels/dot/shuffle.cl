// rung:    shuffle
// idea:    the items of a sub-group (warp) add each other's registers; local memory only joins the sub-groups
// tune:    GROUP = 256 in 64 128 256 512 1024; GROUPS = 1024 in 64 128 256 512 1024 2048 4096
// group:   GROUP
// groups:  GROUPS
// entry:   dot_product
// takes:   f16 bf16
// args:    a, b, scratch, n
// scratch: 8 * GROUPS
// bound:   (ceil(n / (GROUP * GROUPS)) + 2 * log2(GROUP) + ceil(GROUPS / GROUP) + 70) * epsilon * 1.01
// needs:   double

#if HAS_SUB_GROUPS
// The sum of the group's items, in item 0. The first sub-group adds the others' sums in their order.
SUM add_group(SUM sum, local_pointer SUM *sums)
{
    // begin shuffle
    for (uint offset = get_sub_group_size() / 2; offset > 0; offset /= 2)
        sum += sub_group_shuffle_down(sum, offset);
    if (get_sub_group_local_id() == 0)
        sums[get_sub_group_id()] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        for (uint other = 1; other < get_num_sub_groups(); other++)
            sum += sums[other];
    // end shuffle
    return sum;
}
#else
// This runtime has no shuffles: the sums go through local memory, as in on-device.
SUM add_group(SUM sum, local_pointer SUM *sums)
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

__kernel void dot_product(__global const ELEMENT *restrict a, __global const ELEMENT *restrict b, __global SUM *partial,
                          long n)
{
    local_array SUM sums[GROUP];
    SUM sum = 0;
    for (long i = get_global_id(0); i < n; i += GROUP * GROUPS)
        sum += load_element(a, i) * load_element(b, i);
    sum = add_group(sum, sums);
    if (get_local_id(0) == 0)
        partial[get_group_id(0)] = sum;
}

__kernel void finish(__global const SUM *partial, __global double *result, long groups)
{
    local_array SUM sums[GROUP];
    wait_for_launch_before();
    SUM sum = 0;
    for (long i = get_local_id(0); i < groups; i += GROUP)
        sum += partial[i];
    sum = add_group(sum, sums);
    if (get_local_id(0) == 0)
        result[0] = sum;
}
