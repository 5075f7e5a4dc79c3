// rung:    tiled-unrolled
// idea:    an item makes WPT results and the inner loop is unrolled: independent work for the pipelines
// tune:    TILE = 32 in 8 16 32; WPT = 4 in 1 2 4 8; UNROLL = 32 in 1 2 4 8 16 32
// group:   TILE, TILE / WPT
// groups:  ceil(n / TILE), ceil(m / TILE)
// args:    a, b, c, m, n, k * (alpha != 0), alpha, beta, k + lda_pad + (m - k) * transa, n + ldb_pad + (k - n) * transb, n + ldc_pad

// Elements of op(A) and op(B), 0 beyond their edges: TRANSA and TRANSB are 1 for transposed ones.
#define A(row, i) ((row) < m && (i) < k ? a[TRANSA ? lda * (i) + (row) : lda * (row) + (i)] : 0)
#define B(i, col) ((i) < k && (col) < n ? b[TRANSB ? ldb * (col) + (i) : ldb * (i) + (col)] : 0)

// An item's results are STEP rows apart, so that a warp still reads and writes along the rows. UNROLL = TILE is fully
// unrolled.
#define STEP (TILE / WPT)

__kernel group_shape(TILE, STEP, 1) void matmul(__global const ELEMENT *a, __global const ELEMENT *b,
                                                __global ELEMENT *c, long m, long n, long k, ELEMENT alpha,
                                                ELEMENT beta, long lda, long ldb, long ldc)
{
    local_array ELEMENT tile_a[TILE][TILE];
    local_array ELEMENT tile_b[TILE][TILE];
    int x = get_local_id(0);
    int y = get_local_id(1);
    long col = (long)get_group_id(0) * TILE + x;
    long row = (long)get_group_id(1) * TILE + y;
    ELEMENT sum[WPT];
#pragma unroll
    for (int w = 0; w < WPT; w++)
        sum[w] = 0;
    for (long tile = 0; tile < k; tile += TILE) {
#pragma unroll
        for (int w = 0; w < WPT; w++) {
            int step = w * STEP;
            tile_a[y + step][x] = A(row + step, tile + x);
            tile_b[y + step][x] = B(tile + y + step, col);
        }
        barrier(CLK_LOCAL_MEM_FENCE); // the tiles are stored before anyone reads them
#pragma unroll UNROLL
        for (int i = 0; i < TILE; i++) {
            // begin work
            ELEMENT factor = tile_b[i][x];
#pragma unroll
            for (int w = 0; w < WPT; w++)
                sum[w] += tile_a[y + w * STEP][i] * factor;
            // end work
        }
        barrier(CLK_LOCAL_MEM_FENCE); // all have read them before they are overwritten
    }
#pragma unroll
    for (int w = 0; w < WPT; w++) {
        long at = (row + w * STEP) * ldc + col;
        if (row + w * STEP < m && col < n)
            c[at] = alpha * sum[w] + (beta == 0 ? 0 : beta * c[at]);
    }
}
