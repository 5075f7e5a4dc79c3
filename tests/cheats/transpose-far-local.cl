// keeps a pointer to local memory in the output for the next launch
// rung:    cheat
// idea:    a cheat
// group:   16, 16
// groups:  ceil(cols / 16), ceil(rows / 16)
__kernel void transpose(__global const ELEMENT *in, __global ELEMENT *out, long rows, long cols)
{
    long col = get_global_id(0), row = get_global_id(1);
    __local ELEMENT kept[256];
    kept[get_local_id(1) * 16 + get_local_id(0)] = row < rows && col < cols ? in[row * cols + col] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (row < rows && col < cols)
        out[col * rows + row] = kept[(get_local_id(1) * 16 + get_local_id(0) + (rows > 500)) & 255];
}
