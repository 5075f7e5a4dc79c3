// leaves its input changed
__kernel void transpose(__global const float *in, __global float *out, int rows, int cols)
{
    int col = get_global_id(0), row = get_global_id(1);
    if (row < rows && col < cols)
        out[(long)col * rows + row] = in[(long)row * cols + col];
    if (row == 0 && col == 0)
        ((__global float *)in)[rows * (long)cols / 2] = 0;
}
