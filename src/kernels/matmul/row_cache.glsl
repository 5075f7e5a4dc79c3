// rung:    row-cache
// idea:    a group per row of C, with that row of A in local memory; B and C are read and written along their rows
// tune:    GROUP = 256 in 32 64 128 256 512 1024
// group:   GROUP
// groups:  m
// args:    a, b, c, m, n, k * (alpha != 0), alpha, beta, k + lda_pad + (m - k) * transa, n + ldb_pad + (k - n) * transb, n + ldc_pad

// Elements of op(A) and op(B): TRANSA and TRANSB are 1 for transposed ones.
#define A(row, i) a[TRANSA == 1 ? lda * (i) + (row) : lda * (row) + (i)]
#define B(i, col) b[TRANSB == 1 ? ldb * (col) + (i) : ldb * (i) + (col)]

layout(local_size_x = GROUP) in;
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

shared ELEMENT cached[GROUP];

// The row comes in pieces of one element per item; each item has one column at a time.
void main()
{
    int row = int(gl_WorkGroupID.x);
    int item = int(gl_LocalInvocationID.x);
    for (int first = 0; first < n; first += GROUP) {
        int col = first + item;
        ELEMENT sum = ELEMENT(0);
        for (int piece = 0; piece < k; piece += GROUP) {
            // begin piece
            cached[item] = piece + item < k ? A(row, piece + item) : ELEMENT(0);
            barrier(); // the piece is stored before anyone reads it
            int length = min(k - piece, GROUP);
            for (int i = 0; i < length && col < n; i++)
                sum += cached[i] * B(piece + i, col);
            // end piece
            barrier(); // all have read it before it is overwritten
        }
        int at = row * ldc + col;
        if (col < n)
            c[at] = alpha * sum + (beta == 0 ? ELEMENT(0) : beta * c[at]);
    }
}
