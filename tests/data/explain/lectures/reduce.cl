// rung: reduce
// idea: sums of warps by shuffles, of the group by its first warp
// entry: reduce
// args: a, b, scratch, n
// scratch: 16
// group: 256
// groups: 4
__kernel void reduce(__global const float *a, __global const float *b, __global float *partial, long n)
{
    local_array float sums[8];
    int item = get_local_id(0);
    float sum = 0;
    for (long i = get_group_id(0) * 256 + item; i < n; i += 256 * get_num_groups(0))
        sum += a[i] * b[i];
    for (int offset = 16; offset > 0; offset /= 2)
        sum += sub_group_shuffle_down(sum, offset);
    if (item % 32 == 0)
        sums[item / 32] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < 32) {
        sum = item < 8 ? sums[item] : 0;
        for (int offset = 4; offset > 0; offset /= 2)
            sum += sub_group_shuffle_down(sum, offset);
        if (item == 0)
            partial[get_group_id(0)] = sum;
    }
}
