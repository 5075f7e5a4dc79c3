// tiles without the barrier at the end of the loop
// refused as items race
// rung: mine
// group: 16, 16
// groups: ceil(n / 16), ceil(m / 16)
// args: a, b, c, m, n, k * (alpha != 0), alpha, beta, k + lda_pad + (m - k) * transa, n + ldb_pad + (k - n) * transb, n + ldc_pad
// require: transa == 0 && transb == 0, n

__kernel void matmul(__global const ELEMENT *a, __global const ELEMENT *b, __global ELEMENT *c, long m, long n, long k,
                     ELEMENT alpha, ELEMENT beta, long lda, long ldb, long ldc)
{
    __local ELEMENT A[16][16], B[16][16];
    long i = get_local_id(0), j = get_local_id(1), col = get_global_id(0), row = get_global_id(1);
    ELEMENT sum = 0;
    for (long t = 0; t < k; t += 16) {
        A[j][i] = row < m && t + i < k ? a[row * lda + t + i] : 0;
        B[j][i] = col < n && t + j < k ? b[(t + j) * ldb + col] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int l = 0; l < 16; l++)
            sum += A[j][l] * B[l][i];
    }
    if (row < m && col < n)
        c[row * ldc + col] = alpha * sum + (beta == 0 ? 0 : beta * c[row * ldc + col]);
}
