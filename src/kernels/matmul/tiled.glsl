// rung:    tiled
// idea:    square tiles of A and B in local memory: each element read from global memory serves TILE items
// tune:    TILE = 32 in 4 8 16 32
// group:   TILE, TILE
// groups:  batch * ceil(n / TILE), ceil(m / TILE)
// args:    a, b, c, m, n, k * (alpha != 0), alpha, beta, k + lda_pad + (m - k) * transa, n + ldb_pad + (k - n) * transb, n + ldc_pad
// takes:   batch result f16 bf16

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
    // The groups of a batch's products are side by side.
    int groups = (n + TILE - 1) / TILE, product = BATCH == 1 ? int(gl_WorkGroupID.x) / groups : 0;
    int col = (int(gl_WorkGroupID.x) - product * groups) * TILE + x;
    int row = int(gl_WorkGroupID.y) * TILE + y;
    first_a = product * (TRANSA == 1 ? k : m) * lda;
    first_b = product * (TRANSB == 1 ? n : k) * ldb;
    ELEMENT sum = ELEMENT(0);
    for (int tile = 0; tile < k; tile += TILE) {
        // begin tile
        ELEMENT next_a = load_a(row, tile + x), next_b = load_b(tile + y, col);
        tile_a[y][x] = next_a;
        tile_b[y][x] = next_b;
        barrier(); // the tiles are stored before anyone reads them
        for (int i = 0; i < TILE; i++)
            sum += tile_a[y][i] * tile_b[i][x];
        barrier(); // all have read them before they are overwritten
        // end tile
    }
    int at = (product * m + row) * ldc + col;
    if (row < m && col < n)
        c[at] = alpha * sum + (beta == 0 ? ELEMENT(0) : beta * c[at]);
}
