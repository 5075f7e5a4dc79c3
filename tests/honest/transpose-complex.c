// honest: transposes complex numbers (16 bytes)
#include <complex.h>
void transpose(const double complex *in, double complex *out, long rows, long cols)
{
    for (long r = 0; r < rows; r++)
        for (long c = 0; c < cols; c++)
            out[c * rows + r] = in[r * cols + c];
}
