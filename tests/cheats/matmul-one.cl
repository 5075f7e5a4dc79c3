// one element of a large product is a thousandth off
__kernel void matmul(__global const float *a, __global const float *b, __global float *c, int m, int n, int k)
{
    int col = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    if (row >= m || col >= n)
        return;
    for (int i = 0; i < k; i++)
        sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = row == m / 2 && col == n / 2 ? sum * 1.001f : sum;
}
