// the group that comes last adds up, without a fence that makes the others' sums seen; and its counter is never reset
// refused as expected\|error\|ERROR\|never written
__kernel void dot(__global const float *a, __global const float *b, __global float *result, int n)
{
    __local float sums[64];
    const int id = get_local_id(0);
    float sum = 0;
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        sum += a[i] * b[i];
    sums[id] = sum;
    if (id == 0) {
        float all = 0;
        for (int i = 0; i < (int)get_local_size(0); i++)
            all += sums[i];
        *result += all;
    }
}
