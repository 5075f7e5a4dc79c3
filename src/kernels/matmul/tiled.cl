// rung:    tiled
// idea:    square tiles of A and B in local memory: each element read from global memory serves TILE items
// tune:    TILE = 32 in 4 8 16 32
// group:   TILE, TILE
// groups:  batch * ceil(n / TILE), ceil(m / TILE)
// args:    a, b, c, m, n, k * (alpha != 0), alpha, beta, k + lda_pad + (m - k) * transa, n + ldb_pad + (k - n) * transb, n + ldc_pad
// takes:   batch result f16 bf16

// Results of the type of A and B, or floats.
#if RESULT
#define RESULT_ELEMENT float
#define GET(at) c[at]
#define PUT(at, sum) c[at] = (float)(sum)
#else
#define RESULT_ELEMENT ELEMENT
#define GET(at) load_element(c, at)
#define PUT(at, sum) store_element(c, at, sum)
#endif

// Elements of op(A) and op(B), 0 beyond their edges: TRANSA and TRANSB are 1 for transposed ones.
#define A(row, i) ((row) < m && (i) < k ? load_element(a, TRANSA ? lda * (i) + (row) : lda * (row) + (i)) : 0)
#define B(i, col) ((i) < k && (col) < n ? load_element(b, TRANSB ? ldb * (col) + (i) : ldb * (i) + (col)) : 0)

__kernel group_shape(TILE, TILE, 1) void matmul(__global const ELEMENT *a, __global const ELEMENT *b,
                                                __global RESULT_ELEMENT *c, long m, long n, long k, SUM alpha, SUM beta,
                                                long lda, long ldb, long ldc)
{
    local_array SUM tile_a[TILE][TILE];
    local_array SUM tile_b[TILE][TILE];
    int x = get_local_id(0);
    int y = get_local_id(1);
    // The groups of a batch's products are side by side.
    int groups = (int)((n + TILE - 1) / TILE), product = BATCH ? (int)get_group_id(0) / groups : 0;
    long col = (long)((int)get_group_id(0) - product * groups) * TILE + x;
    long row = (long)get_group_id(1) * TILE + y;
    a += product * (TRANSA ? k : m) * lda;
    b += product * (TRANSB ? n : k) * ldb;
    c += product * m * ldc;
    SUM sum = 0;
    for (long tile = 0; tile < k; tile += TILE) {
        // begin tile
        tile_a[y][x] = A(row, tile + x);
        tile_b[y][x] = B(tile + y, col);
        barrier(CLK_LOCAL_MEM_FENCE); // the tiles are stored before anyone reads them
        for (int i = 0; i < TILE; i++)
            sum += tile_a[y][i] * tile_b[i][x];
        barrier(CLK_LOCAL_MEM_FENCE); // all have read them before they are overwritten
        // end tile
    }
    long at = row * ldc + col;
    if (row < m && col < n)
        PUT(at, alpha * sum + (beta == 0 ? 0 : beta * GET(at)));
}
