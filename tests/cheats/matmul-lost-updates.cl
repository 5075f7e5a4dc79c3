// Four items of a group add their parts to a sum without atomic operations: right where one thread runs them in turn.
// refused as updates are lost
// rung: mine
// entry: matmul
// args: a, b, c, int(m), int(n), int(k), alpha, beta, int(k + lda_pad), int(n + ldb_pad), int(n + ldc_pad)
// require: transa == 0, no transposed factors
// require: transb == 0, no transposed factors
// group: 8, 4, 4
// groups: floor((n + 7) / 8), floor((m + 3) / 4), 1
__kernel void matmul(__global const ELEMENT *a, __global const ELEMENT *b, __global ELEMENT *c, int m, int n, int k,
                     ELEMENT alpha, ELEMENT beta, int lda, int ldb, int ldc)
{
    int col = get_global_id(0), row = get_global_id(1), part = get_local_id(2);
    ELEMENT sum = 0;
    if (row < m && col < n && alpha != 0)
        for (int i = part; i < k; i += 4)
            sum += a[row * lda + i] * b[i * ldb + col];
    if (part == 0 && row < m && col < n)
        c[row * ldc + col] = beta == 0 ? 0 : beta * c[row * ldc + col];
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (row < m && col < n)
        c[row * ldc + col] += alpha != 0 ? alpha * sum : 0;
}
