// skips the last element
__kernel void transpose(__global const float *in, __global float *out, int rows, int cols)
{
    int col = get_global_id(0), row = get_global_id(1);
    if (row + 1 == rows && col + 1 == cols)
        return;
    if (row < rows && col < cols)
        out[(long)col * rows + row] = in[(long)row * cols + col];
}
