// writes without end
// rung:    cheat
// idea:    a cheat
// group:   16, 16
// groups:  ceil(cols / 16), ceil(rows / 16)
__kernel void transpose(__global const ELEMENT *in, __global ELEMENT *out, long rows, long cols)
{
    long col = get_global_id(0), row = get_global_id(1);
    for (int i = 0; i < 1000000; i++)
        printf("%d %ld %s\n", i, col, "the same line again and again and again and again and again");
    if (row < rows && col < cols)
        out[col * rows + row] = in[row * cols + col];
}
