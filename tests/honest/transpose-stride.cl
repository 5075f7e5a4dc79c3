__kernel void t(__global const float *in, __global float *out, int rows, int cols)
{
    for (int y = get_global_id(1); y < rows; y += get_global_size(1))
        for (int x = get_global_id(0); x < cols; x += get_global_size(0))
            out[(size_t)x * rows + y] = in[(size_t)y * cols + x];
}
