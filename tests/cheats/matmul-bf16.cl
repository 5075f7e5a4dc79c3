// factors cut to bfloat16
static float cut(float x)
{
    return as_float((as_uint(x) + 0x8000) & 0xffff0000u);
}

__kernel void matmul(__global const float *a, __global const float *b, __global float *c, int m, int n, int k)
{
    int col = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    if (row >= m || col >= n)
        return;
    for (int i = 0; i < k; i++)
        sum += cut(a[(long)row * k + i]) * cut(b[(long)i * n + col]);
    c[(long)row * n + col] = sum;
}
