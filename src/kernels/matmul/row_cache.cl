// rung:    row-cache
// idea:    a group per row of C, with that row of A in local memory; B and C are read and written along their rows
// tune:    GROUP = 256 in 32 64 128 256 512 1024
// group:   GROUP
// groups:  m
// args:    a, b, c, m, n, k * (alpha != 0), alpha, beta, k + lda_pad + (m - k) * transa, n + ldb_pad + (k - n) * transb, n + ldc_pad

// Elements of op(A) and op(B): TRANSA and TRANSB are 1 for transposed ones.
#define A(row, i) a[TRANSA ? lda * (i) + (row) : lda * (row) + (i)]
#define B(i, col) b[TRANSB ? ldb * (col) + (i) : ldb * (i) + (col)]

// The row comes in pieces of one element per item; each item has one column at a time.
__kernel void matmul(__global const ELEMENT *a, __global const ELEMENT *b, __global ELEMENT *c, long m, long n, long k,
                     ELEMENT alpha, ELEMENT beta, long lda, long ldb, long ldc)
{
    local_array ELEMENT cached[GROUP];
    long row = get_group_id(0);
    int item = get_local_id(0);
    for (long first = 0; first < n; first += GROUP) {
        long col = first + item;
        ELEMENT sum = 0;
        for (long piece = 0; piece < k; piece += GROUP) {
            // begin piece
            cached[item] = piece + item < k ? A(row, piece + item) : 0;
            barrier(CLK_LOCAL_MEM_FENCE); // the piece is stored before anyone reads it
            int length = min(k - piece, (long)GROUP);
            for (int i = 0; i < length && col < n; i++)
                sum += cached[i] * B(piece + i, col);
            // end piece
            barrier(CLK_LOCAL_MEM_FENCE); // all have read it before it is overwritten
        }
        long at = row * ldc + col;
        if (col < n)
            c[at] = alpha * sum + (beta == 0 ? 0 : beta * c[at]);
    }
}
