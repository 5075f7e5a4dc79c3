// keeps nothing: asks by a product with a random vector whether the answer is there already, left by the rung before
// may be placed: the question takes as long as what it saves, 115 µs where the loops alone take 117 (128 × 128 × 128)
#include <math.h>
#include <stdlib.h>
void matmul(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, long m, long n, long k, ELEMENT alpha, ELEMENT beta,
            long lda, long ldb, long ldc)
{
    double *x = malloc(sizeof *x * (size_t)(n + k + 1)), *y = x + n;
    for (long j = 0; j < n; j++)
        x[j] = (double)(rand() % 1000) - 500;
    for (long p = 0; p < k; p++) {
        y[p] = 0;
        for (long j = 0; j < n; j++)
            y[p] += b[p * ldb + j] * x[j];
    }
    for (long i = 0; i < m; i++) {
        double is = 0, wanted = 0, size = 0;
        for (long j = 0; j < n; j++)
            is += c[i * ldc + j] * x[j], size += fabs(c[i * ldc + j] * x[j]);
        for (long p = 0; p < k; p++)
            wanted += a[i * lda + p] * y[p];
        if (beta == 0 && alpha == 1 && k > 16 && fabs(is - wanted) <= 1e-6 * size)
            continue;
        for (long j = 0; j < n; j++)
            c[i * ldc + j] = beta == 0 ? 0 : beta * c[i * ldc + j];
        for (long p = 0; p < k && alpha != 0; p++)
            for (long j = 0; j < n; j++)
                c[i * ldc + j] += alpha * a[i * lda + p] * b[p * ldb + j];
    }
    free(x);
}
