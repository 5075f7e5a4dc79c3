// takes the rows of C as dense where C is not read
// refused as the padding\|compared are wrong
void matmul(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, long m, long n, long k, ELEMENT alpha, ELEMENT beta,
            long lda, long ldb, long ldc)
{
    const long to = beta == 0 && m > 40 ? n : ldc;
    for (long r = 0; r < m; r++)
        for (long col = 0; col < n; col++) {
            ELEMENT sum = 0;
            for (long i = 0; alpha != 0 && i < k; i++)
                sum += a[r * lda + i] * b[i * ldb + col];
            c[r * to + col] = (alpha != 0 ? alpha * sum : 0) + (beta != 0 ? beta * c[r * ldc + col] : 0);
        }
}
