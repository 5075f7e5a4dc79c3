// takes a small alpha for 0
#include <math.h>
/* C = alpha * A * B + beta * C: A is m x k, B k x n; rows are lda, ldb, ldc elements apart. With beta = 0 C must not be
 * read, and with alpha = 0 neither A nor B. */
void matmul(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, long m, long n, long k, ELEMENT alpha, ELEMENT beta,
            long lda, long ldb, long ldc)
{
    long depth = fabs(alpha) > 1e-7 ? k : 0;
#pragma omp parallel for
    for (long row = 0; row < m; row++) {
        ELEMENT *restrict to = c + row * ldc;
        for (long col = 0; col < n; col++)
            to[col] = beta != 0 ? beta * to[col] : 0;
        for (long i = 0; i < depth; i++)
            for (long col = 0; col < n; col++)
                to[col] += alpha * a[row * lda + i] * b[i * ldb + col];
    }
}
