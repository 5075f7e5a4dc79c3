// takes alpha for 1
void matmul(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, long m, long n, long k, ELEMENT alpha, ELEMENT beta,
            long lda, long ldb, long ldc)
{
    (void)alpha;
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++) {
            ELEMENT sum = 0;
            for (long p = 0; p < k; p++)
                sum += a[i * lda + p] * b[p * ldb + j];
            c[i * ldc + j] = beta == 0 ? sum : sum + beta * c[i * ldc + j];
        }
}
