// takes more private memory than there is
// rung:    cheat
// idea:    a cheat
// group:   16, 16
// groups:  ceil(cols / 16), ceil(rows / 16)
__kernel void transpose(__global const ELEMENT *in, __global ELEMENT *out, long rows, long cols)
{
    long col = get_global_id(0), row = get_global_id(1);
    volatile ELEMENT kept[8 << 20];
    for (long i = 0; i < 8 << 20; i += 512)
        kept[i] = in[0];
    if (row < rows && col < cols)
        out[col * rows + row] = kept[col] == in[0] ? in[row * cols + col] : in[row * cols + col];
}
