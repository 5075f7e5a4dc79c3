// rung: padded
// idea: a transposed copy by tiles whose rows have an unused element
// entry: padded
// args: in, out, rows, cols
// group: 32, 8
// groups: ceil(cols / 32), ceil(rows / 32)
__kernel void padded(__global const float *in, __global float *out, long rows, long cols)
{
    local_array float tile[32][33];
    int tx = get_local_id(0), ty = get_local_id(1);
    long x = get_group_id(0) * 32, y = get_group_id(1) * 32;
    for (int j = ty; j < 32; j += 8)
        if (x + tx < cols && y + j < rows)
            tile[j][tx] = in[(y + j) * cols + x + tx];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = ty; j < 32; j += 8)
        if (y + tx < rows && x + j < cols)
            out[(x + j) * rows + y + tx] = tile[tx][j];
}
