// skips what whole tiles of 16 do not cover
__kernel void transpose(__global const float *in, __global float *out, int rows, int cols)
{
    int col = get_global_id(0), row = get_global_id(1);
    if (row < rows / 16 * 16 && col < cols / 16 * 16)
        out[(long)col * rows + row] = in[(long)row * cols + col];
}
