// reads its neighbour's element without a barrier
// rung:    cheat
// idea:    a cheat
// group:   16, 16
// groups:  ceil(cols / 16), ceil(rows / 16)
__kernel void transpose(__global const ELEMENT *in, __global ELEMENT *out, long rows, long cols)
{
    long col = get_global_id(0), row = get_global_id(1);
    __local ELEMENT kept[16][16];
    kept[get_local_id(1)][get_local_id(0)] = row < rows && col < cols ? in[row * cols + col] : 0;
    long x = get_group_id(1) * 16 + get_local_id(0), y = get_group_id(0) * 16 + get_local_id(1);
    if (x < rows && y < cols)
        out[y * rows + x] = kept[get_local_id(0)][get_local_id(1)];
}
