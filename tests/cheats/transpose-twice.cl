// does not compile: two kernels of one name, of which the first is right
// refused as redefinition\|already been defined
// group:   16, 16
// groups:  ceil(cols / 16), ceil(rows / 16)
// args:    in, out, rows, cols
__kernel void transpose(__global const ELEMENT *in, __global ELEMENT *out, long rows, long cols)
{
    long col = get_global_id(0), row = get_global_id(1);
    if (row < rows && col < cols)
        out[col * rows + row] = in[row * cols + col];
}
__kernel void transpose(__global const ELEMENT *in, __global ELEMENT *out, long rows, long cols)
{
}
