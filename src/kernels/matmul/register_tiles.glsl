// rung:    register-tiles
// idea:    an item makes a square of results: each value from local memory serves a row or a column of them
// tune:    TILE = 64 + 64 * (ceil(m / 128) * ceil(n / 128) > 128) in 32 64 128; DEPTH = 8 + 8 * (ceil(m / 128) * ceil(n / 128) > 128) in 4 8 16 32
// tune:    SQUARE = 4 + 4 * (ceil(m / 128) * ceil(n / 128) > 128) in 2 4 8
// group:   TILE / SQUARE, TILE / SQUARE
// groups:  batch * ceil(n / TILE), ceil(m / TILE)
// require: DEPTH * (2 * TILE + 1) * element_bytes <= local_bytes, the tiles do not fit local memory; a smaller TILE or DEPTH might
// args:    a, b, c, m, n, k * (alpha != 0), alpha, beta, k + lda_pad + (m - k) * transa, n + ldb_pad + (k - n) * transb, n + ldc_pad
// takes:   batch

// An item's results are STEP rows and STEP columns apart, so that a warp reads local memory without conflicts and
// writes along the rows.
#define STEP (TILE / SQUARE)
#define ITEMS (STEP * STEP)
#define LOADS ((TILE * DEPTH + ITEMS - 1) / ITEMS) // of an item, of each tile

// Where the i-th element that the group fetches lies in the tiles.
#define row_of(i) (TRANSA == 1 ? (i) % TILE : (i) / DEPTH)
#define depth_of_a(i) (TRANSA == 1 ? (i) / TILE : (i) % DEPTH)
#define col_of(i) (TRANSB == 1 ? (i) / DEPTH : (i) % TILE)
#define depth_of_b(i) (TRANSB == 1 ? (i) % DEPTH : (i) / TILE)

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

int first_a, first_b; // elements before the product's, in a batch

// Elements of op(A) and op(B), 0 beyond their edges: TRANSA and TRANSB are 1 for transposed ones. Beyond them the first
// element is read, as NVIDIA's compiler makes a branch of every load that has a condition.
ELEMENT load_a(int row, int i)
{
    bool is_inside = row < m && i < k;
    ELEMENT element = a[is_inside ? first_a + (TRANSA == 1 ? lda * i + row : lda * row + i) : 0];
    return is_inside ? element : ELEMENT(0);
}

ELEMENT load_b(int i, int col)
{
    bool is_inside = i < k && col < n;
    ELEMENT element = b[is_inside ? first_b + (TRANSB == 1 ? ldb * col + i : ldb * i + col) : 0];
    return is_inside ? element : ELEMENT(0);
}

void main()
{
    int x = int(gl_LocalInvocationID.x);
    int y = int(gl_LocalInvocationID.y);
    int item = y * STEP + x;
    // The groups of a batch's products are side by side.
    int groups = (n + TILE - 1) / TILE, product = BATCH == 1 ? int(gl_WorkGroupID.x) / groups : 0;
    int left = (int(gl_WorkGroupID.x) - product * groups) * TILE;
    int top = int(gl_WorkGroupID.y) * TILE;
    first_a = product * (TRANSA == 1 ? k : m) * lda;
    first_b = product * (TRANSB == 1 ? n : k) * ldb;
    ELEMENT sum[SQUARE][SQUARE];
    for (int i = 0; i < SQUARE; i++)
        for (int j = 0; j < SQUARE; j++)
            sum[i][j] = ELEMENT(0);
    for (int tile = 0; tile < k; tile += DEPTH) {
        ELEMENT next_a[LOADS], next_b[LOADS]; // all are under way before the first is stored
        for (int q = 0; q < LOADS; q++) {
            // Neighbouring items read neighbouring addresses.
            int i = item + q * ITEMS;
            next_a[q] = load_a(top + row_of(i), tile + depth_of_a(i));
            next_b[q] = load_b(tile + depth_of_b(i), left + col_of(i));
        }
        for (int q = 0; q < LOADS; q++) {
            int i = item + q * ITEMS;
            if (TILE * DEPTH % ITEMS == 0 || i < TILE * DEPTH) {
                tile_a[depth_of_a(i)][row_of(i)] = next_a[q];
                tile_b[depth_of_b(i)][col_of(i)] = next_b[q];
            }
        }
        barrier(); // the tiles are stored before anyone reads them
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
        barrier(); // all have read them before they are overwritten
    }
    for (int i = 0; i < SQUARE; i++)
        for (int j = 0; j < SQUARE; j++) {
            int row = top + y + i * STEP, col = left + x + j * STEP, at = (product * m + row) * ldc + col;
            if (row < m && col < n)
                c[at] = alpha * sum[i][j] + (beta == 0 ? ELEMENT(0) : beta * c[at]);
        }
}
