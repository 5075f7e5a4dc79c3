// no deeper than 64
__kernel void matmul(__global const float *a, __global const float *b, __global float *c, int m, int n, int k)
{
    int col = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    if (row >= m || col >= n)
        return;
    for (int i = 0; i < k && i < 64; i++)
        sum += a[(long)row * k + i] * b[(long)i * n + col];
    c[(long)row * n + col] = sum;
}
