// group: 64
// groups: 1
// args: a, b, result, int(n)
// One group; each step of its tree reads before it writes.
__kernel void dot(__global const float *a, __global const float *b, __global double *result, int n)
{
    __local float sums[64];
    const int id = get_local_id(0), items = get_local_size(0);
    float sum = 0;
    if (get_group_id(0) != 0)
        return;
    for (int i = id; i < n; i += items)
        sum = fma(a[i], b[i], sum);
    sums[id] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 32; step; step >>= 1) {
        const float other = id < step && id + step < items ? sums[id + step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[id] += other;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (id == 0)
        *result = sums[0];
}
