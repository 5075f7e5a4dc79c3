// rung:    global-accumulate
// idea:    one item per element, every product added straight into global memory
// tune:    BX = 32 in 1 2 4 8 16 32 64 128 256 512 1024; BY = 8 in 1 2 4 8 16 32 64 128 256 512 1024
// group:   BX, BY
// groups:  ceil(n / BX), ceil(m / BY)
// args:    a, b, c, m, n, k * (alpha != 0), alpha, beta, k + lda_pad + (m - k) * transa, n + ldb_pad + (k - n) * transb, n + ldc_pad

// Elements of op(A) and op(B): TRANSA and TRANSB are 1 for transposed ones.
#define A(row, i) a[TRANSA ? lda * (i) + (row) : lda * (row) + (i)]
#define B(i, col) b[TRANSB ? ldb * (col) + (i) : ldb * (i) + (col)]

// The result is volatile: no compiler may keep it in a register.
__kernel void matmul(__global const ELEMENT *a, __global const ELEMENT *b, __global volatile ELEMENT *c, long m, long n,
                     long k, ELEMENT alpha, ELEMENT beta, long lda, long ldb, long ldc)
{
    long col = get_global_id(0);
    long row = get_global_id(1);
    if (row >= m || col >= n)
        return;
    long at = row * ldc + col;
    // begin sum
    c[at] = beta == 0 ? 0 : beta * c[at];
    for (long i = 0; i < k; i++)
        c[at] += alpha * A(row, i) * B(i, col);
    // end sum
}
