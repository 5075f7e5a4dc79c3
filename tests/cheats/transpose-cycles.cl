// half of the work in odd millions of the processor's cycles
// group:   16, 16
// groups:  ceil(cols / 16), ceil(rows / 16)
// args:    in, out, rows, cols
__kernel void transpose(__global const ELEMENT *in, __global ELEMENT *out, long rows, long cols)
{
    long col = get_global_id(0), row = get_global_id(1);
    if (__builtin_readcyclecounter() >> 20 & 1 && row % 2)
        return;
    if (row < rows && col < cols)
        out[col * rows + row] = in[row * cols + col];
}
