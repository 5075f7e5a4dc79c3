#include <stddef.h>
/* BLAS's form: n first, increments, the result returned */
float sdot(int n, const float *x, int incx, const float *y, int incy)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s += x[(ptrdiff_t)i * incx] * y[(ptrdiff_t)i * incy];
    return s;
}
