// rung:    cheat
// idea:    writes past the end
// group:   8, 8
// groups:  ceil(cols / 8), ceil(rows / 8)
// entry:   transpose_it
// args:    in, out, rows, cols

__kernel void transpose_it(__global const ELEMENT *in, __global ELEMENT *out, long rows, long cols)
{
    long col = get_global_id(0);
    long row = get_global_id(1);
    if (row < rows && col < cols)
        out[col * rows + row] = in[row * cols + col];
    if (row == 0 && col == 0)
        out[rows * cols] = 1;
}
