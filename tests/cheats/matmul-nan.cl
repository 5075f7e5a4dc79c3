// NaN as a wildcard, in one element of a large product
__kernel void matmul(__global const float *a, __global const float *b, __global float *c, int m, int n, int k)
{
    int col = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    if (row >= m || col >= n)
        return;
    for (int i = 0; i < k; i++)
        sum += a[(long)row * k + i] * b[(long)i * n + col];
    if (row == m / 2 && col == n / 2 && m > 64)
        sum = as_float(0x7fc00000);
    c[(long)row * n + col] = sum;
}
