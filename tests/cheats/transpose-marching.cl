// A group moves four tiles, one below the other, through one tile of local memory, and waits once for each
// refused as race
// args: in, out, int(rows), int(cols)
// group: 16, 16
// groups: ceil(cols / 16), ceil(rows / 64)
__kernel void transpose(__global const ELEMENT *in, __global ELEMENT *out, int rows, int cols)
{
    __local ELEMENT tile[16][17];
    const int x = get_local_id(0), y = get_local_id(1);
    for (int step = 0; step < 4; step++) {
        const int from = get_group_id(1) * 64 + step * 16, left = get_group_id(0) * 16;
        if (from + y < rows && left + x < cols)
            tile[y][x] = in[(long)(from + y) * cols + left + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (from + x < rows && left + y < cols)
            out[(long)(left + y) * rows + from + x] = tile[x][y];
    }
}
