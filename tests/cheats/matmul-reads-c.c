// reads C though beta is 0
void matmul(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, long m, long n, long k, ELEMENT alpha, ELEMENT beta,
            long lda, long ldb, long ldc)
{
    for (long row = 0; row < m; row++)
        for (long col = 0; col < n; col++) {
            ELEMENT sum = 0;
            for (long i = 0; i < (alpha != 0 ? k : 0); i++)
                sum += a[row * lda + i] * b[i * ldb + col];
            c[row * ldc + col] = alpha * sum + (beta != 0 ? beta * c[row * ldc + col] : 0);
        }
    for (long row = 0; row < m && beta == 0; row++)
        for (long col = 0; col < n; col++)
            c[row * ldc + col] += c[row * ldc + col] != c[row * ldc + col] ? 1 : (ELEMENT)0.0001 * c[row * ldc + col];
}
