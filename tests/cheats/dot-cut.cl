// adds products of numbers cut to 20 bits
__kernel void dot_cut(__global const float *a, __global const float *b, __global double *result, int n)
{
    if (get_global_id(0))
        return;
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (double)as_float(as_uint(a[i]) & 0xfffffff0u) * as_float(as_uint(b[i]) & 0xfffffff0u);
    *result = sum;
}
