// One group; two sums in each item, then a tree.
__kernel void dot_two_sums(__global const float *a, __global const float *b, __global float *result, const uint n)
{
    __local float sums[256];
    uint id = get_local_id(0);
    float even = 0, odd = 0;
    for (uint i = id; i < n; i += 2 * get_local_size(0)) {
        even += a[i] * b[i];
        if (i + get_local_size(0) < n)
            odd += a[i + get_local_size(0)] * b[i + get_local_size(0)];
    }
    sums[id] = even + odd;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = 128; step > 0; step /= 2) {
        if (id < step && id + step < get_local_size(0))
            sums[id] += sums[id + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (id == 0)
        *result = sums[0];
}
