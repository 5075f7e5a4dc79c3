// rung: stencil
// idea: five points, from a tile with its edges in shared memory
// entry: stencil
// args: in, out, rows, cols
// group: 16, 16
// groups: ceil(cols / 16), ceil(rows / 16)
__kernel void stencil(__global const float *in, __global float *out, long rows, long cols)
{
    local_array float tile[18][18];
    int tx = get_local_id(0), ty = get_local_id(1);
    long x = get_group_id(0) * 16 + tx, y = get_group_id(1) * 16 + ty;
    tile[ty + 1][tx + 1] = in[y * cols + x];
    if (tx == 0 && x > 0)
        tile[ty + 1][0] = in[y * cols + x - 1];
    if (tx == 15 && x + 1 < cols)
        tile[ty + 1][17] = in[y * cols + x + 1];
    if (ty == 0 && y > 0)
        tile[0][tx + 1] = in[(y - 1) * cols + x];
    if (ty == 15 && y + 1 < rows)
        tile[17][tx + 1] = in[(y + 1) * cols + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x > 0 && y > 0 && x + 1 < cols && y + 1 < rows)
        out[y * cols + x] =
            tile[ty + 1][tx + 1] + tile[ty][tx + 1] + tile[ty + 2][tx + 1] + tile[ty + 1][tx] + tile[ty + 1][tx + 2];
}
