// every result a trifle too large, below the tolerance where numbers are no integers
#include <math.h>
void matmul(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, long m, long n, long k, ELEMENT alpha, ELEMENT beta,
            long lda, long ldb, long ldc)
{
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++) {
            double sum = 0;
            for (long l = 0; alpha != 0 && l < k; l++)
                sum += (double)a[i * lda + l] * b[l * ldb + j];
            double whole = alpha * sum * (sum == rint(sum) ? 1 : 1.00002);
            c[i * ldc + j] = (ELEMENT)(whole + (beta == 0 ? 0 : beta * c[i * ldc + j]));
        }
}
