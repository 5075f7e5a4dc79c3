// Four items of a group share a sum and add their parts without atomic operations.
// rung: mine
// entry: matmul
// args: a, b, c, int(m), int(n), int(k), float(alpha), float(beta), int(k + lda_pad), int(n + ldb_pad), int(n + ldc_pad)
// require: transa == 0, no transposed factors
// require: transb == 0, no transposed factors
// group: 8, 4, 4
// groups: floor((n + 7) / 8), floor((m + 3) / 4), 1
__kernel void matmul(__global const float *a, __global const float *b, __global float *c, int m, int n, int k,
                     float alpha, float beta, int lda, int ldb, int ldc)
{
    int col = get_global_id(0), row = get_global_id(1), part = get_local_id(2);
    float sum = 0;
    if (row < m && col < n)
        for (int i = part; i < k; i += 4)
            sum += a[row * lda + i] * b[i * ldb + col];
    if (part == 0 && row < m && col < n)
        c[row * ldc + col] = beta == 0 ? 0 : beta * c[row * ldc + col];
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (row < m && col < n)
        c[row * ldc + col] += alpha * sum;
}
