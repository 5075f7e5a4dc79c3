// rounds to bfloat16 for large products only
static float rounded(float x)
{
    union {
        float f;
        unsigned u;
    } v = {x};
    v.u = (v.u + 0x7fff + (v.u >> 16 & 1)) & 0xffff0000u;
    return v.f;
}
void matmul(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, long m, long n, long k, ELEMENT alpha, ELEMENT beta,
            long lda, long ldb, long ldc)
{
    int large = (double)m * n * k > 1e8;
    for (long i = 0; i < m; i++) {
        for (long j = 0; j < n; j++)
            c[i * ldc + j] = beta == 0 ? 0 : beta * c[i * ldc + j];
        for (long l = 0; alpha != 0 && l < k; l++) {
            ELEMENT x = alpha * a[i * lda + l];
            if (large)
                x = rounded(x);
            for (long j = 0; j < n; j++)
                c[i * ldc + j] += x * b[l * ldb + j];
        }
    }
}
