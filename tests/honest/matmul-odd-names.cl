__kernel void matmul(__global const float *x, __global const float *y, __global float *z, int p, int q, int r)
{
    int i = get_global_id(1), j = get_global_id(0);
    if (i >= p || j >= q)
        return;
    float s = 0;
    for (int k = 0; k < r; k++)
        s += x[i * r + k] * y[k * q + j];
    z[i * q + j] = s;
}
