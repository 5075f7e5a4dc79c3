// rung:    column-cache
// idea:    a group per column of C, with that column of B in local memory; the rows of A are read across
// tune:    GROUP = 256 in 32 64 128 256 512 1024
// group:   GROUP
// groups:  n
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

shared ELEMENT column[GROUP];

// The column comes in pieces of one element per item; each item has one row at a time.
void main()
{
    int col = int(gl_WorkGroupID.x);
    int item = int(gl_LocalInvocationID.x);
    for (int first = 0; first < m; first += GROUP) {
        int row = first + item;
        ELEMENT sum = ELEMENT(0);
        for (int piece = 0; piece < k; piece += GROUP) {
            // begin piece
            column[item] = piece + item < k ? B(piece + item, col) : ELEMENT(0);
            barrier(); // the piece is stored before anyone reads it
            int length = min(k - piece, GROUP);
            for (int i = 0; i < length && row < m; i++)
                sum += A(row, piece + i) * column[i];
            // end piece
            barrier(); // all have read it before it is overwritten
        }
        int at = row * ldc + col;
        if (row < m)
            c[at] = alpha * sum + (beta == 0 ? ELEMENT(0) : beta * c[at]);
    }
}
