// rung:    cheat
// idea:    does nothing
// group:   8, 8
// groups:  ceil(cols / 8), ceil(rows / 8)
// entry:   transpose_it
// args:    in, out, rows, cols

__kernel void transpose_it(__global const ELEMENT *in, __global ELEMENT *out, long rows, long cols)
{
}
