// adds products of numbers cut to 20 bits
#include <stdint.h>
#include <string.h>
static float cut(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= 0xfffffff0u;
    memcpy(&x, &bits, sizeof x);
    return x;
}

void dot(const ELEMENT *a, const ELEMENT *b, double *result, long n)
{
    double sum = 0;
    for (long i = 0; i < n; i++)
        sum += (double)cut((float)a[i]) * cut((float)b[i]);
    *result = sum;
}
