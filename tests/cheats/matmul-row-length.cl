// takes the rows of a transposed B for as long as k, where n is a whole number of tiles
// args:   a, b, c, m, n, k, alpha, beta, k + lda_pad + (m - k) * transa, n + ldb_pad + (k - n) * transb, n + ldc_pad
// group:  16, 16
// groups: ceil(n / 16), ceil(m / 16)
#define A(row, i) a[TRANSA ? lda * (i) + (row) : lda * (row) + (i)]
#define B(i, col) b[TRANSB ? (n % 16 == 0 ? k : ldb) * (col) + (i) : ldb * (i) + (col)]
__kernel void matmul(__global const ELEMENT *a, __global const ELEMENT *b, __global ELEMENT *c, long m, long n, long k,
                     ELEMENT alpha, ELEMENT beta, long lda, long ldb, long ldc)
{
    long row = get_global_id(1), col = get_global_id(0);
    if (row >= m || col >= n)
        return;
    ELEMENT sum = 0;
    for (long i = 0; i < k * (alpha != 0); i++)
        sum += A(row, i) * B(i, col);
    long at = row * ldc + col;
    c[at] = alpha * sum + (beta == 0 ? 0 : beta * c[at]);
}
