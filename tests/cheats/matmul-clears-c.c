// with beta = 0 C is cleared as one piece of m * n elements: padding is lost, the last rows keep what was there
// on matmul:m=64,n=48,k=32,ldc_pad=5
// refused as compared are wrong
#include <string.h>
void matmul(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, long m, long n, long k, ELEMENT alpha, ELEMENT beta,
            long lda, long ldb, long ldc)
{
    if (beta == 0)
        memset(c, 0, (size_t)m * n * sizeof *c);
    else
        for (long i = 0; i < m; i++)
            for (long j = 0; j < n; j++)
                c[i * ldc + j] *= beta;
    if (alpha == 0)
        return;
    for (long i = 0; i < m; i++)
        for (long l = 0; l < k; l++) {
            ELEMENT x = alpha * a[i * lda + l];
            for (long j = 0; j < n; j++)
                c[i * ldc + j] += x * b[l * ldb + j];
        }
}
