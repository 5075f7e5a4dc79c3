// rung:    naive
// idea:    one item per element, the sum in a register and written once
// tune:    BX = 32 in 1 2 4 8 16 32 64 128 256 512 1024; BY = 8 in 1 2 4 8 16 32 64 128 256 512 1024; ROWS_FIRST = 0 in 0 1
// group:   BX, BY
// groups:  batch * ceil((n + (m - n) * ROWS_FIRST) / BX), ceil((m + (n - m) * ROWS_FIRST) / BY)
// args:    a, b, c, m, n, k * (alpha != 0), alpha, beta, k + lda_pad + (m - k) * transa, n + ldb_pad + (k - n) * transb, n + ldc_pad
// takes:   batch result f16 bf16

// Elements of op(A) and op(B): TRANSA and TRANSB are 1 for transposed ones.
#define A(row, i) a[first_a + (TRANSA == 1 ? lda * (i) + (row) : lda * (row) + (i))]
#define B(i, col) b[first_b + (TRANSB == 1 ? ldb * (col) + (i) : ldb * (i) + (col))]

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(binding = 0) readonly buffer Left { ELEMENT a[]; };
layout(binding = 1) readonly buffer Right { ELEMENT b[]; };
layout(binding = 2) buffer Result { ELEMENT c[]; };
layout(location = 3) uniform int m;
layout(location = 4) uniform int n;
layout(location = 5) uniform int k;
layout(location = 6) uniform ELEMENT alpha;
layout(location = 7) uniform ELEMENT beta;
layout(location = 8) uniform int lda;
layout(location = 9) uniform int ldb;
layout(location = 10) uniform int ldc;

// Neighbouring items take neighbouring columns, and so neighbouring addresses of B and C; with ROWS_FIRST they take
// neighbouring rows, and no two of them share a line of memory. The groups of a batch's products are side by side.
void main()
{
    int groups = ((ROWS_FIRST == 1 ? m : n) + BX - 1) / BX, product = BATCH == 1 ? int(gl_WorkGroupID.x) / groups : 0;
    int x = int(gl_GlobalInvocationID.x) - product * groups * BX, y = int(gl_GlobalInvocationID.y);
    int col = ROWS_FIRST == 1 ? y : x;
    int row = ROWS_FIRST == 1 ? x : y;
    if (row >= m || col >= n)
        return;
    int first_a = product * (TRANSA == 1 ? k : m) * lda;
    int first_b = product * (TRANSB == 1 ? n : k) * ldb;
    // begin sum
    ELEMENT sum = ELEMENT(0);
    for (int i = 0; i < k; i++)
        sum += A(row, i) * B(i, col);
    // end sum
    int at = (product * m + row) * ldc + col;
    c[at] = alpha * sum + (beta == 0 ? ELEMENT(0) : beta * c[at]);
}
