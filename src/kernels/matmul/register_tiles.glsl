// rung:    register-tiles
// idea:    an item makes a square of results: each value from local memory serves a row or a column of them
// tune:    TILE = 64 + 64 * (ceil(m / 128) * ceil(n / 128) > 128) in 32 64 128; DEPTH = 8 + 8 * (ceil(m / 128) * ceil(n / 128) > 128) in 4 8 16 32
// tune:    SQUARE = 4 + 4 * (ceil(m / 128) * ceil(n / 128) > 128) in 2 4 8
// group:   TILE / SQUARE, TILE / SQUARE
// groups:  ceil(n / TILE), ceil(m / TILE)
// require: DEPTH * (2 * TILE + 1) * element_bytes <= local_bytes, the tiles do not fit local memory; a smaller TILE or DEPTH might
// args:    a, b, c, m, n, k * (alpha != 0), alpha, beta, k + lda_pad + (m - k) * transa, n + ldb_pad + (k - n) * transb, n + ldc_pad

// Elements of op(A) and op(B), 0 beyond their edges: TRANSA and TRANSB are 1 for transposed ones.
#define A(row, i) ((row) < m && (i) < k ? a[TRANSA == 1 ? lda * (i) + (row) : lda * (row) + (i)] : ELEMENT(0))
#define B(i, col) ((i) < k && (col) < n ? b[TRANSB == 1 ? ldb * (col) + (i) : ldb * (i) + (col)] : ELEMENT(0))

// An item's results are STEP rows and STEP columns apart, so that a warp reads local memory without conflicts and
// writes along the rows.
#define STEP (TILE / SQUARE)
#define ITEMS (STEP * STEP)

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

shared ELEMENT tile_a[DEPTH][TILE + 1]; // transposed; one word longer against bank conflicts
shared ELEMENT tile_b[DEPTH][TILE];

void main()
{
    int x = int(gl_LocalInvocationID.x);
    int y = int(gl_LocalInvocationID.y);
    int item = y * STEP + x;
    int left = int(gl_WorkGroupID.x) * TILE;
    int top = int(gl_WorkGroupID.y) * TILE;
    ELEMENT sum[SQUARE][SQUARE];
    for (int i = 0; i < SQUARE; i++)
        for (int j = 0; j < SQUARE; j++)
            sum[i][j] = ELEMENT(0);
    for (int tile = 0; tile < k; tile += DEPTH) {
        for (int i = item; i < TILE * DEPTH; i += ITEMS) {
            // Neighbouring items read neighbouring addresses.
            int row = TRANSA == 1 ? i % TILE : i / DEPTH, depth_a = TRANSA == 1 ? i / TILE : i % DEPTH;
            int col = TRANSB == 1 ? i / DEPTH : i % TILE, depth_b = TRANSB == 1 ? i % DEPTH : i / TILE;
            tile_a[depth_a][row] = A(top + row, tile + depth_a);
            tile_b[depth_b][col] = B(tile + depth_b, left + col);
        }
        group_barrier(); // the tiles are stored before anyone reads them
        for (int depth = 0; depth < DEPTH; depth++) {
            // begin square
            ELEMENT column[SQUARE], row[SQUARE];
            for (int i = 0; i < SQUARE; i++) {
                column[i] = tile_a[depth][y + i * STEP];
                row[i] = tile_b[depth][x + i * STEP];
            }
            for (int i = 0; i < SQUARE; i++)
                for (int j = 0; j < SQUARE; j++)
                    sum[i][j] += column[i] * row[j];
            // end square
        }
        group_barrier(); // all have read them before they are overwritten
    }
    for (int i = 0; i < SQUARE; i++)
        for (int j = 0; j < SQUARE; j++) {
            int row = top + y + i * STEP, col = left + x + j * STEP, at = row * ldc + col;
            if (row < m && col < n)
                c[at] = alpha * sum[i][j] + (beta == 0 ? ELEMENT(0) : beta * c[at]);
        }
}
