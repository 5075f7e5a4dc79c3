// rung:    double-buffered
// idea:    four floats at a time to and from local memory, and the next tile is fetched while this one is used
// tune:    DEPTH = 8 in 8 16
// group:   16, 16
// groups:  ceil(n / 128), ceil(m / 128)
// args:    a, b, c, m, n, k * (alpha != 0), alpha, beta, k + lda_pad + (m - k) * transa, n + ldb_pad + (k - n) * transb, n + ldc_pad
// require: 16 * DEPTH * 132 <= local_bytes, the tiles do not fit local memory; a smaller DEPTH might
// require: element_bytes == 4, works on float only

#define TILE 128
#define ITEMS 256
#define QUADS (TILE * DEPTH / 4 / ITEMS) // groups of four that an item fetches of each tile
#define ROW (TILE + 4)                   // keeps alignment, and the items that store a column out of each other's banks

layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) readonly buffer Left { float a[]; };
layout(binding = 1) readonly buffer Right { float b[]; };
layout(binding = 2) buffer Result { float c[]; };
layout(location = 3) uniform int m;
layout(location = 4) uniform int n;
layout(location = 5) uniform int k;
layout(location = 6) uniform float alpha;
layout(location = 7) uniform float beta;
layout(location = 8) uniform int lda;
layout(location = 9) uniform int ldb;
layout(location = 10) uniform int ldc;

// The same two matrices, four floats at a time: GLSL has no pointers to cast.
layout(binding = 0) readonly buffer LeftQuads { vec4 quads_a[]; };
layout(binding = 1) readonly buffer RightQuads { vec4 quads_b[]; };
shared vec4 tiles_a[2][DEPTH][ROW / 4];
shared vec4 tiles_b[2][DEPTH][ROW / 4];

// Where the q-th quad of an item lies in a tile. Quads go along the direction in which memory is contiguous: along the
// depth when `along_depth`, else along the lines (rows of A, columns of B).
int quad_line(int item, int q, bool along_depth)
{
    int i = item + q * ITEMS;
    return along_depth ? i / (DEPTH / 4) : i % (TILE / 4) * 4;
}

int quad_depth(int item, int q, bool along_depth)
{
    int i = item + q * ITEMS;
    return along_depth ? i % (DEPTH / 4) * 4 : i / (TILE / 4);
}

// Four floats from row `row`, column `col` of a stored matrix; 0 beyond its edges. Wide where the alignment allows it.
// One way out: NVIDIA's compiler makes a loop of a function with several.
#define DEFINE_FETCH(name, array, quads)                              \
    vec4 name(int row, int col, int rows, int cols, int stride)       \
    {                                                                 \
        int from = row * stride + col;                                \
        vec4 quad = vec4(0);                                          \
        if (row < rows && col + 4 <= cols && stride % 4 == 0) {       \
            quad = quads[from / 4];                                   \
        } else if (row < rows) {                                      \
            quad.x = col < cols ? array[from] : 0;                    \
            quad.y = col + 1 < cols ? array[from + 1] : 0;            \
            quad.z = col + 2 < cols ? array[from + 2] : 0;            \
            quad.w = col + 3 < cols ? array[from + 3] : 0;            \
        }                                                             \
        return quad;                                                  \
    }
DEFINE_FETCH(fetch_a, a, quads_a)
DEFINE_FETCH(fetch_b, b, quads_b)

// Into a tile whose rows are depths. A component is named, not indexed: some compilers store the whole quad for one that
// is indexed, over what other items have stored.
#define STORE_COLUMN(tile, depth, line, quad, component) \
    if ((line) % 4 == component) {                       \
        tile[(depth)][(line) / 4][component] = quad.x;     \
        tile[(depth) + 1][(line) / 4][component] = quad.y; \
        tile[(depth) + 2][(line) / 4][component] = quad.z; \
        tile[(depth) + 3][(line) / 4][component] = quad.w; \
    }
#define DEFINE_STORE(name, tiles)                                            \
    void name(int which, int line, int depth, bool along_depth, vec4 quad)   \
    {                                                                        \
        if (along_depth) {                                                   \
            STORE_COLUMN(tiles[which], depth, line, quad, 0)                 \
            STORE_COLUMN(tiles[which], depth, line, quad, 1)                 \
            STORE_COLUMN(tiles[which], depth, line, quad, 2)                 \
            STORE_COLUMN(tiles[which], depth, line, quad, 3)                 \
        } else {                                                             \
            tiles[which][depth][line / 4] = quad;                            \
        }                                                                    \
    }
DEFINE_STORE(store_a, tiles_a)
DEFINE_STORE(store_b, tiles_b)

// An item's 8 × 8 results are four blocks of 4 × 4, 64 rows or columns apart.
void main()
{
    int x = int(gl_LocalInvocationID.x);
    int y = int(gl_LocalInvocationID.y);
    int item = y * 16 + x;
    int left = int(gl_WorkGroupID.x) * TILE;
    int top = int(gl_WorkGroupID.y) * TILE;
    vec4 sum[8][2], next_a[QUADS], next_b[QUADS];
    for (int i = 0; i < 8; i++)
        sum[i][0] = sum[i][1] = vec4(0);
    // Round `tile` uses what the round before fetched; the first one uses nothing.
    for (int tile = -DEPTH; tile < k; tile += DEPTH) {
        int now = tile / DEPTH & 1, after = 1 - now;
        int ahead = tile + DEPTH;
        for (int q = 0; q < QUADS; q++) {
            int row = top + quad_line(item, q, TRANSA == 0), depth_a = ahead + quad_depth(item, q, TRANSA == 0);
            int col = left + quad_line(item, q, TRANSB == 1), depth_b = ahead + quad_depth(item, q, TRANSB == 1);
            next_a[q] = TRANSA == 1 ? fetch_a(depth_a, row, k, m, lda) : fetch_a(row, depth_a, m, k, lda);
            next_b[q] = TRANSB == 1 ? fetch_b(col, depth_b, n, k, ldb) : fetch_b(depth_b, col, k, n, ldb);
        }
        if (tile >= 0)
            for (int depth = 0; depth < DEPTH; depth++) {
                vec4 row[2];
                row[0] = tiles_b[now][depth][x];
                row[1] = tiles_b[now][depth][x + 16];
                for (int block = 0; block < 2; block++) {
                    // begin block
                    vec4 column = tiles_a[now][depth][y + 16 * block];
                    for (int j = 0; j < 2; j++) {
                        sum[4 * block][j] += row[j] * column.x;
                        sum[4 * block + 1][j] += row[j] * column.y;
                        sum[4 * block + 2][j] += row[j] * column.z;
                        sum[4 * block + 3][j] += row[j] * column.w;
                        // end block
                    }
                }
            }
        for (int q = 0; q < QUADS; q++) {
            store_a(after, quad_line(item, q, TRANSA == 0), quad_depth(item, q, TRANSA == 0), TRANSA == 0, next_a[q]);
            store_b(after, quad_line(item, q, TRANSB == 1), quad_depth(item, q, TRANSB == 1), TRANSB == 1, next_b[q]);
        }
        barrier();
    }
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 2; j++) {
            int row = top + i / 4 * 64 + y * 4 + i % 4, col = left + j * 64 + x * 4;
            int to = row * ldc + col;
            for (int e = 0; e < 4; e++)
                if (row < m && col + e < n)
                    c[to + e] = alpha * sum[i][j][e] + (beta == 0 ? 0 : beta * c[to + e]);
        }
}
