// rounds through half precision
__kernel void transpose(__global const float *in, __global float *out, int rows, int cols)
{
    int col = get_global_id(0), row = get_global_id(1);
    if (row < rows && col < cols)
        out[(long)col * rows + row] = as_float(as_uint(in[(long)row * cols + col]) & 0xffffe000u);
}
