// macros that grow without end; does not compile
#define A(x) x + x + x + x + x + x + x + x + x + x
#define B(x) A(A(A(x)))
#define C(x) B(B(B(x)))
#define D(x) C(C(C(x)))
__kernel void transpose(__global const float *in, __global float *out, int rows, int cols)
{
    out[0] = D(in[0]) + rows + cols;
}
