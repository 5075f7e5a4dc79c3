// A tree that is handed the local array as a pointer; the size of the group is asked for.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

void halve(__local double *sums, uint id, uint count)
{
    for (; count > 1; count = (count + 1) / 2) {
        if (id + (count + 1) / 2 < count)
            sums[id] += sums[id + (count + 1) / 2];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

__kernel void dot_kernel(__global const float *x, __global const float *y, __global double *out, const ulong n)
{
    __local double sums[256];
    const uint id = get_local_id(0);
    double sum = 0;
    for (ulong i = id; i < n; i += get_local_size(0))
        sum = fma((double)x[i], (double)y[i], sum);
    sums[id] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    halve(sums, id, get_local_size(0));
    if (id == 0)
        out[0] = sums[0];
}
