// A reduction by one work-group: strided sums, then a tree in local memory.
__kernel void reduce(__global const float *a, __global const float *b, __global float *result, int n)
{
    __local float cache[256];
    int id = get_local_id(0);
    float sum = 0;
    for (int i = id; i < n; i += get_local_size(0))
        sum += a[i] * b[i];
    cache[id] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
        if (id < s)
            cache[id] += cache[id + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (id == 0)
        result[0] = cache[0];
}
