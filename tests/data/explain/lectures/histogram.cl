// rung: histogram
// idea: bins of a group in shared memory, added to the bins of all
// entry: histogram
// args: data, scratch, n
// scratch: 1024
// group: 256
// groups: 4
__kernel void histogram(__global const uint *data, __global uint *bins, long n)
{
    local_array uint part[256];
    int item = get_local_id(0);
    part[item] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (long i = get_group_id(0) * 256 + item; i < n; i += 256 * get_num_groups(0))
        atomic_add(&part[data[i] & 255], 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&bins[item], part[item]);
}
