// Has two tiles and takes the same one in each step, with one barrier
// refused as race
// args: a, b, c, int(m), int(n), int(k), alpha, beta, int(k + lda_pad), int(n + ldb_pad), int(n + ldc_pad)
// require: transa == 0, no transposed factors
// require: transb == 0, no transposed factors
// group: 8, 8
// groups: ceil(n / 8), ceil(m / 8)
__kernel void matmul(__global const ELEMENT *a, __global const ELEMENT *b, __global ELEMENT *c, int m, int n, int k,
                     ELEMENT alpha, ELEMENT beta, int lda, int ldb, int ldc)
{
    __local ELEMENT of_a[2][8][8], of_b[2][8][8];
    const int x = get_local_id(0), y = get_local_id(1), col = get_global_id(0), row = get_global_id(1);
    ELEMENT sum = 0;
    for (int from = 0, turn = 0; alpha != 0 && from < k; from += 8, turn = 0) {
        of_a[turn][y][x] = row < m && from + x < k ? a[(long)row * lda + from + x] : 0;
        of_b[turn][y][x] = col < n && from + y < k ? b[(long)(from + y) * ldb + col] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < 8 && from + i < k; i++)
            sum += of_a[turn][y][i] * of_b[turn][i][x];
    }
    if (row < m && col < n)
        c[(long)row * ldc + col] = (alpha != 0 ? alpha * sum : 0) + (beta != 0 ? beta * c[(long)row * ldc + col] : 0);
}
