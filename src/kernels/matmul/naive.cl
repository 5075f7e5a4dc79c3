// rung:    naive
// idea:    one item per element, the sum in a register and written once
// tune:    BX = 32 in 1 2 4 8 16 32 64 128 256 512 1024; BY = 8 in 1 2 4 8 16 32 64 128 256 512 1024; ROWS_FIRST = 0 in 0 1
// group:   BX, BY
// groups:  batch * ceil((n + (m - n) * ROWS_FIRST) / BX), ceil((m + (n - m) * ROWS_FIRST) / BY)
// args:    a, b, c, m, n, k * (alpha != 0), alpha, beta, k + lda_pad + (m - k) * transa, n + ldb_pad + (k - n) * transb, n + ldc_pad
// takes:   batch result f16 bf16

// Results of the type of A and B, or floats.
#if RESULT
#define RESULT_ELEMENT float
#define GET(at) c[at]
#define PUT(at, sum) c[at] = (float)(sum)
#else
#define RESULT_ELEMENT ELEMENT
#define GET(at) load_element(c, at)
#define PUT(at, sum) store_element(c, at, sum)
#endif

// Elements of op(A) and op(B): TRANSA and TRANSB are 1 for transposed ones.
#define A(row, i) load_element(a, TRANSA ? lda *(i) + (row) : lda *(row) + (i))
#define B(i, col) load_element(b, TRANSB ? ldb *(col) + (i) : ldb *(i) + (col))

// Neighbouring items take neighbouring columns, and so neighbouring addresses of B and C; with ROWS_FIRST they take
// neighbouring rows, and no two of them share a line of memory. The groups of a batch's products are side by side.
__kernel void matmul(__global const ELEMENT *a, __global const ELEMENT *b, __global RESULT_ELEMENT *c, long m, long n,
                     long k, SUM alpha, SUM beta, long lda, long ldb, long ldc)
{
    int groups = (int)(((ROWS_FIRST ? m : n) + BX - 1) / BX), product = BATCH ? (int)get_group_id(0) / groups : 0;
    long x = (long)get_global_id(0) - (long)product * groups * BX, y = get_global_id(1);
    long col = ROWS_FIRST ? y : x;
    long row = ROWS_FIRST ? x : y;
    if (row >= m || col >= n)
        return;
    a += product * (TRANSA ? k : m) * lda;
    b += product * (TRANSB ? n : k) * ldb;
    c += product * m * ldc;
    // begin sum
    SUM sum = 0;
    for (long i = 0; i < k; i++)
        sum += A(row, i) * B(i, col);
    // end sum
    long at = row * ldc + col;
    PUT(at, alpha * sum + (beta == 0 ? 0 : beta * GET(at)));
}
