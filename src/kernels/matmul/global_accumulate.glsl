// rung:    global-accumulate
// idea:    one item per element, every product added straight into global memory
// tune:    BX = 32 in 1 2 4 8 16 32 64 128 256 512 1024; BY = 8 in 1 2 4 8 16 32 64 128 256 512 1024
// group:   BX, BY
// groups:  ceil(n / BX), ceil(m / BY)
// args:    a, b, c, m, n, k * (alpha != 0), alpha, beta, k + lda_pad + (m - k) * transa, n + ldb_pad + (k - n) * transb, n + ldc_pad

// Elements of op(A) and op(B): TRANSA and TRANSB are 1 for transposed ones.
#define A(row, i) a[TRANSA == 1 ? lda * (i) + (row) : lda * (row) + (i)]
#define B(i, col) b[TRANSB == 1 ? ldb * (col) + (i) : ldb * (i) + (col)]

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
// The result is volatile: no compiler may keep it in a register.
layout(binding = 0) readonly buffer Left { ELEMENT a[]; };
layout(binding = 1) readonly buffer Right { ELEMENT b[]; };
layout(binding = 2) volatile buffer Result { ELEMENT c[]; };
layout(location = 3) uniform int m;
layout(location = 4) uniform int n;
layout(location = 5) uniform int k;
layout(location = 6) uniform ELEMENT alpha;
layout(location = 7) uniform ELEMENT beta;
layout(location = 8) uniform int lda;
layout(location = 9) uniform int ldb;
layout(location = 10) uniform int ldc;

void main()
{
    int col = int(gl_GlobalInvocationID.x);
    int row = int(gl_GlobalInvocationID.y);
    if (row >= m || col >= n)
        return;
    int at = row * ldc + col;
    // begin sum
    c[at] = beta == 0 ? ELEMENT(0) : beta * c[at];
    for (int i = 0; i < k; i++)
        c[at] += alpha * A(row, i) * B(i, col);
    // end sum
}
