// its compiler is to unroll a loop without end
// refused as no answer for
// group:   16, 16
// groups:  ceil(cols / 16), ceil(rows / 16)
// args:    in, out, rows, cols
__kernel void transpose(__global const ELEMENT *in, __global ELEMENT *out, long rows, long cols)
{
    long col = get_global_id(0), row = get_global_id(1);
    float x = col;
#pragma unroll 1000000000
    for (int i = 0; i < 1000000000; i++)
        x = native_sin(x) + i * cos(x);
    if (x == 3)
        out[0] = in[0];
    if (row < rows && col < cols)
        out[col * rows + row] = in[row * cols + col];
}
