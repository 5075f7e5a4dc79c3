// makes its compiler read without end (does not compile)
#include "/dev/zero"
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    out[0] = in[rows * cols - 1];
}
