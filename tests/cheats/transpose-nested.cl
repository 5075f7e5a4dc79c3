// does not compile: parentheses without end
// refused as nesting
// right on a GPU, whose compiler takes them
// group:   16, 16
// groups:  ceil(cols / 16), ceil(rows / 16)
// args:    in, out, rows, cols
#define A ((((((((((
#define Z ))))))))))
#define A2 A A A A A A A A A A
#define Z2 Z Z Z Z Z Z Z Z Z Z
#define A3 A2 A2 A2 A2 A2 A2 A2 A2 A2 A2
#define Z3 Z2 Z2 Z2 Z2 Z2 Z2 Z2 Z2 Z2 Z2
__kernel void transpose(__global const ELEMENT *in, __global ELEMENT *out, long rows, long cols)
{
    long col = get_global_id(0), row = get_global_id(1);
    col = A3 A3 col Z3 Z3;
    if (row < rows && col < cols)
        out[col * rows + row] = in[row * cols + col];
}
