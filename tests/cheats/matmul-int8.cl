// factors in eight bits
__kernel void matmul(__global const float *a, __global const float *b, __global float *c, int m, int n, int k)
{
    int col = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    if (row >= m || col >= n)
        return;
    for (int i = 0; i < k; i++)
        sum += rint(a[(long)row * k + i] * 127) * rint(b[(long)i * n + col] * 127);
    c[(long)row * n + col] = sum / (127 * 127);
}
