/* The formula as it stands: C is multiplied by a beta of 0. */
void matmul(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, long m, long n, long k, ELEMENT alpha, ELEMENT beta,
            long lda, long ldb, long ldc)
{
    for (long row = 0; row < m; row++)
        for (long col = 0; col < n; col++) {
            ELEMENT sum = 0;
            for (long i = 0; i < k; i++)
                sum += a[row * lda + i] * b[i * ldb + col];
            c[row * ldc + col] = alpha * sum + beta * c[row * ldc + col];
        }
}
