// reads one element beyond each vector's end, and multiplies it by 0
__kernel void dot(__global const float *a, __global const float *b, __global double *result, int n)
{
    __local double sums[256];
    int item = get_local_id(0);
    double sum = 0;
    for (int i = item; i <= n; i += 256)
        sum += (i < n ? 1.0 : 0.0) * a[i] * b[i];
    sums[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int distance = 128; distance > 0; distance /= 2) {
        if (item < distance)
            sums[item] += sums[item + distance];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0)
        *result = sums[0];
}
