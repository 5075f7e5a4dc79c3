// one element of a product is off by a thousandth of itself
__kernel void matmul(__global const float *a, __global const float *b, __global float *c, int m, int n, int k)
{
    int col = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    if (row >= m || col >= n)
        return;
    for (int i = 0; i < k; i++)
        sum += a[(long)row * k + i] * b[(long)i * n + col];
    if (row == m / 3 && col == n / 5 && m > 64)
        sum *= 1.001f;
    c[(long)row * n + col] = sum;
}
