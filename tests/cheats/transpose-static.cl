// does not compile: counts its launches in a variable of the program
// rung:    cheat
// idea:    a cheat
// group:   16, 16
// groups:  ceil(cols / 16), ceil(rows / 16)
__global int launches = 0;
__kernel void transpose(__global const ELEMENT *in, __global ELEMENT *out, long rows, long cols)
{
    long col = get_global_id(0), row = get_global_id(1);
    if (row == 0 && col == 0)
        launches++;
    if (launches > 40)
        return;
    if (row < rows && col < cols)
        out[col * rows + row] = in[row * cols + col];
}
