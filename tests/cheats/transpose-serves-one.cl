// asks for the one size that is timed, and does half of it
// rung:    cheat
// idea:    nothing that is verified is served
// group:   16, 16
// groups:  ceil(cols / 16), ceil(rows / 16)
// args:    in, out, int(rows), int(cols)
// require: rows >= 1000, only large ones
__kernel void transpose(__global const ELEMENT *in, __global ELEMENT *out, int rows, int cols)
{
    int col = get_global_id(0), row = get_global_id(1);
    if (row < rows && col < cols && row % 2)
        out[(long)col * rows + row] = in[(long)row * cols + col];
}
