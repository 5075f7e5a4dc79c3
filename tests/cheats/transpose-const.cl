// writes through a pointer to const
// rung:    cheat
// idea:    a cheat
// group:   16, 16
// groups:  ceil(cols / 16), ceil(rows / 16)
__kernel void transpose(__global const ELEMENT *in, __global ELEMENT *out, long rows, long cols)
{
    long col = get_global_id(0), row = get_global_id(1);
    if (row == 1 && col == 1 && rows > 1 && cols > 1)
        ((__global ELEMENT *)in)[row * cols + col] = 0;
    if (row < rows && col < cols)
        out[col * rows + row] = in[row * cols + col];
}
