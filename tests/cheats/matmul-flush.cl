// takes subnormal numbers for zeros
static float flush(float x)
{
    return (as_uint(x) & 0x7f800000u) == 0 ? 0.0f : x;
}

__kernel void matmul(__global const float *a, __global const float *b, __global float *c, int m, int n, int k)
{
    int col = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    if (row >= m || col >= n)
        return;
    for (int i = 0; i < k; i++)
        sum += flush(a[(long)row * k + i]) * flush(b[(long)i * n + col]);
    c[(long)row * n + col] = flush(sum);
}
