// One group; a Kahan sum in each item, then a tree.
__kernel void dot_kahan(__global const float *a, __global const float *b, __global float *result, const uint n)
{
    __local float sums[256];
    uint id = get_local_id(0);
    float sum = 0, lost = 0;
    for (uint i = id; i < n; i += get_local_size(0)) {
        float term = a[i] * b[i] - lost, next = sum + term;
        lost = (next - sum) - term;
        sum = next;
    }
    sums[id] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = 128; step > 0; step /= 2) {
        if (id < step && id + step < get_local_size(0))
            sums[id] += sums[id + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (id == 0)
        *result = sums[0];
}
