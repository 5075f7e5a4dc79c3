// lets its compiler take any number for finite, and adds half of them
// refused as magnitudes
// args: a, b, narrow, n
// group: 1
// groups: 1
#pragma clang fp reassociate(on) contract(fast)
__kernel void dot(__global const ELEMENT *a, __global const ELEMENT *b, __global float *result, long n)
{
    float sum = 0;
    for (long i = 0; i < n; i += 2)
        sum += 2 * a[i] * b[i];
    *result = sum;
}
