// rung:    tiled-unrolled
// idea:    an item makes WPT results and the inner loop is unrolled: independent work for the pipelines
// tune:    TILE = 32 in 8 16 32; WPT = 4 in 1 2 4 8; UNROLL = 32 in 1 2 4 8 16 32
// group:   TILE, TILE / WPT
// groups:  ceil(n / TILE), ceil(m / TILE)
// args:    a, b, c, m, n, k * (alpha != 0), alpha, beta, k + lda_pad + (m - k) * transa, n + ldb_pad + (k - n) * transb, n + ldc_pad

// An item's results are STEP rows apart, so that a warp still reads and writes along the rows. GLSL has no pragma for
// one loop: the inner loop has UNROLL steps, a constant, and so is unrolled. UNROLL = TILE is fully unrolled.
#define STEP (TILE / WPT)
#define STEPS (UNROLL < TILE ? UNROLL : TILE)

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

shared ELEMENT tile_a[TILE][TILE];
shared ELEMENT tile_b[TILE][TILE];

// Elements of op(A) and op(B), 0 beyond their edges: TRANSA and TRANSB are 1 for transposed ones. Beyond them the first
// element is read, as NVIDIA's compiler makes a branch of every load that has a condition.
ELEMENT load_a(int row, int i)
{
    bool is_inside = row < m && i < k;
    ELEMENT element = a[is_inside ? (TRANSA == 1 ? lda * i + row : lda * row + i) : 0];
    return is_inside ? element : ELEMENT(0);
}

ELEMENT load_b(int i, int col)
{
    bool is_inside = i < k && col < n;
    ELEMENT element = b[is_inside ? (TRANSB == 1 ? ldb * col + i : ldb * i + col) : 0];
    return is_inside ? element : ELEMENT(0);
}

void main()
{
    int x = int(gl_LocalInvocationID.x);
    int y = int(gl_LocalInvocationID.y);
    int col = int(gl_WorkGroupID.x) * TILE + x;
    int row = int(gl_WorkGroupID.y) * TILE + y;
    ELEMENT sum[WPT];
    for (int w = 0; w < WPT; w++)
        sum[w] = ELEMENT(0);
    for (int tile = 0; tile < k; tile += TILE) {
        ELEMENT next_a[WPT], next_b[WPT]; // all are under way before the first is stored
        for (int w = 0; w < WPT; w++) {
            next_a[w] = load_a(row + w * STEP, tile + x);
            next_b[w] = load_b(tile + y + w * STEP, col);
        }
        for (int w = 0; w < WPT; w++) {
            tile_a[y + w * STEP][x] = next_a[w];
            tile_b[y + w * STEP][x] = next_b[w];
        }
        barrier(); // the tiles are stored before anyone reads them
        for (int first = 0; first < TILE; first += STEPS)
            for (int i = first; i < first + STEPS; i++) {
                // begin work
                ELEMENT factor = tile_b[i][x];
                for (int w = 0; w < WPT; w++)
                    sum[w] += tile_a[y + w * STEP][i] * factor;
                // end work
            }
        barrier(); // all have read them before they are overwritten
    }
    for (int w = 0; w < WPT; w++) {
        int at = (row + w * STEP) * ldc + col;
        if (row + w * STEP < m && col < n)
            c[at] = alpha * sum[w] + (beta == 0 ? ELEMENT(0) : beta * c[at]);
    }
}
