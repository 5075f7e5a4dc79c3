// is wrong with the largest group
// rung:    mine
// idea:    what is new about it, in a line
// tune:    BX = 16 in 8 16 32; BY = 16 in 4 8 16 32
// group:   BX, BY
// groups:  ceil(n / BX), ceil(m / BY)
// args:    a, b, c, m, n, k * (alpha != 0), alpha, beta, k + lda_pad + (m - k) * transa, n + ldb_pad + (k - n) * transb, n + ldc_pad

// C = alpha * op(A) * op(B) + beta * C: op(A) is m x k, op(B) k x n. TRANSA and TRANSB are 1 for transposed ones. With
// beta = 0 C must not be read.
#define A(row, i) a[TRANSA ? lda * (i) + (row) : lda * (row) + (i)]
#define B(i, col) b[TRANSB ? ldb * (col) + (i) : ldb * (i) + (col)]

__kernel void matmul(__global const ELEMENT *a, __global const ELEMENT *b, __global ELEMENT *c, long m, long n, long k,
                     ELEMENT alpha, ELEMENT beta, long lda, long ldb, long ldc)
{
    long col = get_global_id(0);
    long row = get_global_id(1);
    if (row >= m || col >= n)
        return;
    ELEMENT sum = 0;
    for (long i = 0; i < k; i++)
        sum += A(row, i) * B(i, col);
    long at = row * ldc + col;
    c[at] = (BX == 32 && BY == 32 && row == m - 1 ? 0 : alpha) * sum + (beta == 0 ? 0 : beta * c[at]);
}
