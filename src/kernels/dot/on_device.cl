// rung:    on-device
// idea:    a second launch, of one group, adds the groups' sums: nothing leaves the device but the result
// tune:    GROUP = 256 in 64 128 256 512 1024; GROUPS = 1024 in 64 128 256 512 1024 2048 4096
// group:   GROUP
// groups:  GROUPS
// entry:   dot_product
// takes:   f16 bf16
// args:    a, b, scratch, n
// scratch: 8 * GROUPS
// bound:   (ceil(n / (GROUP * GROUPS)) + 2 * log2(GROUP) + ceil(GROUPS / GROUP) + 4) * epsilon * 1.01

// Leaves the sum of the group's items in sums[0].
void add_group(local_pointer SUM *sums, int item)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int reach = GROUP / 2; reach > 0; reach /= 2) {
        if (item < reach)
            sums[item] += sums[item + reach];
        barrier(CLK_LOCAL_MEM_FENCE); // these sums are stored before half as many items read them
    }
}

__kernel void dot_product(__global const ELEMENT *restrict a, __global const ELEMENT *restrict b, __global SUM *partial,
                          long n)
{
    local_array SUM sums[GROUP];
    const int item = get_local_id(0);
    SUM sum = 0;
    for (long i = get_global_id(0); i < n; i += GROUP * GROUPS)
        sum += load_element(a, i) * load_element(b, i);
    sums[item] = sum;
    add_group(sums, item);
    if (item == 0)
        partial[get_group_id(0)] = sums[0];
}

__kernel void finish(__global const SUM *partial, __global double *result, long groups)
{
    local_array SUM sums[GROUP];
    wait_for_launch_before();
    const int item = get_local_id(0);
    SUM sum = 0;
    // begin finish
    for (long i = item; i < groups; i += GROUP)
        sum += partial[i];
    sums[item] = sum;
    add_group(sums, item);
    // end finish
    if (item == 0)
        result[0] = sums[0];
}
