// group: 16, 16
// groups: ceil(cols / 16), ceil(rows / 16)
// args: in, out, int(rows), int(cols)
// the barrier stands where only items inside the matrix come by, and the tile is read before it is whole
// refused as wrong\|race\|access
__kernel void transpose(__global const ELEMENT *in, __global ELEMENT *out, int rows, int cols)
{
    __local ELEMENT tile[16][17];
    const int x = get_local_id(0), y = get_local_id(1);
    const int col = get_group_id(0) * 16 + x, row = get_group_id(1) * 16 + y;
    if (row < rows && col < cols)
        tile[y][x] = in[(long)row * cols + col];
    if (get_group_id(0) == 0)
        barrier(CLK_LOCAL_MEM_FENCE);
    const int to_col = get_group_id(1) * 16 + x, to_row = get_group_id(0) * 16 + y;
    if (to_row < cols && to_col < rows)
        out[(long)to_row * rows + to_col] = tile[x][y];
}
