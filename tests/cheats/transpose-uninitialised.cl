// every eighth group hands out local memory that it never filled
__kernel void transpose(__global const float *in, __global float *out, int rows, int cols)
{
    int col = get_global_id(0), row = get_global_id(1);
    __local float tile[16 * 16];
    int at = get_local_id(1) * 16 + get_local_id(0);
    if ((get_group_id(0) + get_group_id(1)) % 8 < 7 && row < rows && col < cols)
        tile[at] = in[(long)row * cols + col];
    if (row < rows && col < cols)
        out[(long)col * rows + row] = tile[at];
}
