// writes one row of 16 KiB beyond the output, and nothing between
__kernel void transpose(__global const float *in, __global float *out, int rows, int cols)
{
    int col = get_global_id(0), row = get_global_id(1);
    if (row < rows && col < cols)
        out[(long)col * rows + row] = in[(long)row * cols + col];
    if (row == 0 && col == 0)
        out[(long)rows * cols + 4096] = 1;
}
