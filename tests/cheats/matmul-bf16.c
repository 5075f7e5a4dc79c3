// factors in bfloat16
#include <string.h>

static float cut(float x)
{
    unsigned bits;
    memcpy(&bits, &x, sizeof bits);
    bits = (bits + 0x8000) & 0xffff0000;
    memcpy(&x, &bits, sizeof bits);
    return x;
}

void matmul(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, long m, long n, long k, ELEMENT alpha, ELEMENT beta,
            long lda, long ldb, long ldc)
{
    for (long row = 0; row < m; row++)
        for (long col = 0; col < n; col++) {
            ELEMENT sum = 0;
            for (long i = 0; i < (alpha != 0 ? k : 0); i++)
                sum += cut(a[row * lda + i]) * cut(b[i * ldb + col]);
            c[row * ldc + col] = alpha * sum + (beta != 0 ? beta * c[row * ldc + col] : 0);
        }
}
