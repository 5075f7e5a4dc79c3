// macros that grow without end; does not compile
#define A(x) x + x + x + x + x + x + x + x + x + x
#define B(x) A(A(A(x)))
#define C(x) B(B(B(x)))
#define D(x) C(C(C(x)))
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    out[0] = D(in[0]);
}
