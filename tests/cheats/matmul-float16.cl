// factors cut to 11 bits, by a kernel without a header
float cut(float x)
{
    return as_float((as_uint(x) + 0x1000) & 0xffffe000u);
}

__kernel void matmul(__global const float *a, __global const float *b, __global float *c, int m, int n, int k)
{
    int col = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    if (row >= m || col >= n)
        return;
    for (int i = 0; i < k; i++)
        sum += cut(a[row * k + i]) * cut(b[i * n + col]);
    c[row * n + col] = sum;
}
