// Sums of the last 32 items without barriers, as if a warp's items went in step
// refused as race\|expected
// args: a, b, result, long(n)
// group: 128
// groups: 1
__kernel void dot(__global const ELEMENT *a, __global const ELEMENT *b, __global double *result, long n)
{
    __local volatile double sums[128];
    const int item = get_local_id(0);
    double sum = 0;
    for (long i = item; i < n; i += 128)
        sum += (double)a[i] * b[i];
    sums[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < 64)
        sums[item] += sums[item + 64];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < 32) {
        for (int step = 32; step; step /= 2)
            sums[item] += sums[item + step];
    }
    if (item == 0)
        *result = sums[0];
}
