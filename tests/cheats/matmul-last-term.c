// leaves out the last term where k has 5 more than a multiple of 8
void matmul(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, long m, long n, long k, ELEMENT alpha, ELEMENT beta,
            long lda, long ldb, long ldc)
{
    if (k % 8 == 5 && k > 8)
        k--;
    for (long row = 0; row < m; row++)
        for (long col = 0; col < n; col++) {
            ELEMENT sum = 0;
            for (long i = 0; i < (alpha != 0 ? k : 0); i++)
                sum += a[row * lda + i] * b[i * ldb + col];
            c[row * ldc + col] = alpha * sum + (beta != 0 ? beta * c[row * ldc + col] : 0);
        }
}
