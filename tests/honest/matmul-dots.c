/* The textbook's three loops, each element of C as a dot product. */
void matmul(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, long m, long n, long k, ELEMENT alpha, ELEMENT beta,
            long lda, long ldb, long ldc)
{
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++) {
            ELEMENT sum = 0;
            for (long p = 0; alpha != 0 && p < k; p++)
                sum += a[i * lda + p] * b[p * ldb + j];
            c[i * ldc + j] = beta == 0 ? alpha * sum : alpha * sum + beta * c[i * ldc + j];
        }
}
