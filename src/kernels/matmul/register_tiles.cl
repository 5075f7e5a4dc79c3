// rung:    register-tiles
// idea:    an item makes a square of results: each value from local memory serves a row or a column of them
// tune:    TILE = 64 + 64 * (ceil(m / 128) * ceil(n / 128) > 128) in 32 64 128; DEPTH = 8 + 8 * (ceil(m / 128) * ceil(n / 128) > 128) in 4 8 16 32
// tune:    SQUARE = 4 + 4 * (ceil(m / 128) * ceil(n / 128) > 128) in 2 4 8
// group:   TILE / SQUARE, TILE / SQUARE
// groups:  batch * ceil(n / TILE), ceil(m / TILE)
// require: DEPTH * (2 * TILE + 1) * element_bytes <= local_bytes, the tiles do not fit local memory; a smaller TILE or DEPTH might
// args:    a, b, c, m, n, k * (alpha != 0), alpha, beta, k + lda_pad + (m - k) * transa, n + ldb_pad + (k - n) * transb, n + ldc_pad
// takes:   batch

// Elements of op(A) and op(B), 0 beyond their edges: TRANSA and TRANSB are 1 for transposed ones.
#define A(row, i) ((row) < m && (i) < k ? a[TRANSA ? lda * (i) + (row) : lda * (row) + (i)] : 0)
#define B(i, col) ((i) < k && (col) < n ? b[TRANSB ? ldb * (col) + (i) : ldb * (i) + (col)] : 0)

// An item's results are STEP rows and STEP columns apart, so that a warp reads local memory without conflicts and
// writes along the rows.
#define STEP (TILE / SQUARE)
#define ITEMS (STEP * STEP)

__kernel group_shape(STEP, STEP, 1) void matmul(__global const ELEMENT *a, __global const ELEMENT *b,
                                                __global ELEMENT *c, long m, long n, long k, ELEMENT alpha,
                                                ELEMENT beta, long lda, long ldb, long ldc)
{
    local_array ELEMENT tile_a[DEPTH][TILE + 1]; // transposed; one word longer against bank conflicts
    local_array ELEMENT tile_b[DEPTH][TILE];
    int x = get_local_id(0);
    int y = get_local_id(1);
    int item = y * STEP + x;
    // The groups of a batch's products are side by side.
    int groups = (int)((n + TILE - 1) / TILE), product = BATCH ? (int)get_group_id(0) / groups : 0;
    long left = (long)((int)get_group_id(0) - product * groups) * TILE;
    long top = (long)get_group_id(1) * TILE;
    a += product * (TRANSA ? k : m) * lda;
    b += product * (TRANSB ? n : k) * ldb;
    c += product * m * ldc;
    ELEMENT sum[SQUARE][SQUARE];
#pragma unroll
    for (int i = 0; i < SQUARE; i++)
#pragma unroll
        for (int j = 0; j < SQUARE; j++)
            sum[i][j] = 0;
    for (long tile = 0; tile < k; tile += DEPTH) {
        for (int i = item; i < TILE * DEPTH; i += ITEMS) {
            // Neighbouring items read neighbouring addresses.
            int row = TRANSA ? i % TILE : i / DEPTH, depth_a = TRANSA ? i / TILE : i % DEPTH;
            int col = TRANSB ? i / DEPTH : i % TILE, depth_b = TRANSB ? i % DEPTH : i / TILE;
            tile_a[depth_a][row] = A(top + row, tile + depth_a);
            tile_b[depth_b][col] = B(tile + depth_b, left + col);
        }
        barrier(CLK_LOCAL_MEM_FENCE); // the tiles are stored before anyone reads them
#pragma unroll
        for (int depth = 0; depth < DEPTH; depth++) {
            // begin square
            ELEMENT column[SQUARE], row[SQUARE];
#pragma unroll
            for (int i = 0; i < SQUARE; i++) {
                column[i] = tile_a[depth][y + i * STEP];
                row[i] = tile_b[depth][x + i * STEP];
            }
#pragma unroll
            for (int i = 0; i < SQUARE; i++)
#pragma unroll
                for (int j = 0; j < SQUARE; j++)
                    sum[i][j] += column[i] * row[j];
            // end square
        }
        barrier(CLK_LOCAL_MEM_FENCE); // all have read them before they are overwritten
    }
#pragma unroll
    for (int i = 0; i < SQUARE; i++)
#pragma unroll
        for (int j = 0; j < SQUARE; j++) {
            long row = top + y + i * STEP, col = left + x + j * STEP, at = row * ldc + col;
            if (row < m && col < n)
                c[at] = alpha * sum[i][j] + (beta == 0 ? 0 : beta * c[at]);
        }
}
