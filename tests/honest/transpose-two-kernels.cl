float twice(float x)
{
    return 2 * x;
}
__kernel void copy(__global const float *in, __global float *out, int rows, int cols)
{
    int i = get_global_id(1) * cols + get_global_id(0);
    if (get_global_id(0) < cols && get_global_id(1) < rows)
        out[i] = in[i];
}
__kernel void transpose(__global const float *in, __global float *out, int rows, int cols)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < cols && y < rows)
        out[x * rows + y] = in[y * cols + x];
}
