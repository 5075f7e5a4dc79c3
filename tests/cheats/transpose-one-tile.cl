// leaves one tile of 1,000 out where the matrix is large
__kernel void transpose(__global const float *in, __global float *out, int rows, int cols)
{
    int col = get_global_id(0), row = get_global_id(1);
    bool is_left_out = (long)rows * cols > 200000 && row / 8 == 17 && col / 8 == 13;
    if (row < rows && col < cols && !is_left_out)
        out[(long)col * rows + row] = in[(long)row * cols + col];
}
