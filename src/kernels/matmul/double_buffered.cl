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

// Where the q-th quad of an item lies in a tile. Quads go along the direction in which memory is contiguous: along the
// depth when `along_depth`, else along the lines (rows of A, columns of B).
int quad_line(int item, int q, int along_depth)
{
    int i = item + q * ITEMS;
    return along_depth ? i / (DEPTH / 4) : i % (TILE / 4) * 4;
}

int quad_depth(int item, int q, int along_depth)
{
    int i = item + q * ITEMS;
    return along_depth ? i % (DEPTH / 4) * 4 : i / (TILE / 4);
}

// Four floats from row `row`, column `col` of a stored matrix; 0 beyond its edges. Wide where the alignment allows it.
float4 fetch(__global const float *x, long row, long col, long rows, long cols, long stride)
{
    __global const float *from = x + row * stride + col;
    if (row < rows && col + 4 <= cols && stride % 4 == 0)
        return *(__global const float4 *)from;
    float4 quad = make_float4(0, 0, 0, 0);
    if (row >= rows)
        return quad;
    quad.x = col < cols ? from[0] : 0;
    quad.y = col + 1 < cols ? from[1] : 0;
    quad.z = col + 2 < cols ? from[2] : 0;
    quad.w = col + 3 < cols ? from[3] : 0;
    return quad;
}

// Into a tile whose rows are depths.
void store(local_pointer float *tile, int line, int depth, int along_depth, float4 quad)
{
    local_pointer float *to = tile + depth * ROW + line;
    if (along_depth) {
        to[0] = quad.x;
        to[ROW] = quad.y;
        to[2 * ROW] = quad.z;
        to[3 * ROW] = quad.w;
    } else {
        *(local_pointer float4 *)to = quad;
    }
}

// An item's 8 × 8 results are four blocks of 4 × 4, 64 rows or columns apart.
__kernel group_shape(16, 16, 1) void matmul(__global const float *a, __global const float *b, __global float *c, long m,
                                            long n, long k, float alpha, float beta, long lda, long ldb, long ldc)
{
    local_array float4 tiles_a[2][DEPTH][ROW / 4];
    local_array float4 tiles_b[2][DEPTH][ROW / 4];
    int x = get_local_id(0);
    int y = get_local_id(1);
    int item = y * 16 + x;
    long left = (long)get_group_id(0) * TILE;
    long top = (long)get_group_id(1) * TILE;
    float4 sum[8][2], next_a[QUADS], next_b[QUADS];
#pragma unroll
    for (int i = 0; i < 8; i++)
        sum[i][0] = sum[i][1] = make_float4(0, 0, 0, 0);
    // Round `tile` uses what the round before fetched; the first one uses nothing.
    for (long tile = -DEPTH; tile < k; tile += DEPTH) {
        int now = tile / DEPTH & 1, after = 1 - now;
        long ahead = tile + DEPTH;
#pragma unroll
        for (int q = 0; q < QUADS; q++) {
            long row = top + quad_line(item, q, !TRANSA), depth_a = ahead + quad_depth(item, q, !TRANSA);
            long col = left + quad_line(item, q, TRANSB), depth_b = ahead + quad_depth(item, q, TRANSB);
            next_a[q] = TRANSA ? fetch(a, depth_a, row, k, m, lda) : fetch(a, row, depth_a, m, k, lda);
            next_b[q] = TRANSB ? fetch(b, col, depth_b, n, k, ldb) : fetch(b, depth_b, col, k, n, ldb);
        }
#pragma unroll
        for (int depth = 0; depth < DEPTH; depth++) {
            if (tile < 0)
                break;
            float4 row[2];
            row[0] = tiles_b[now][depth][x];
            row[1] = tiles_b[now][depth][x + 16];
#pragma unroll
            for (int block = 0; block < 2; block++) {
                // begin block
                float4 column = tiles_a[now][depth][y + 16 * block];
#pragma unroll
                for (int j = 0; j < 2; j++) {
                    sum[4 * block][j] += row[j] * column.x;
                    sum[4 * block + 1][j] += row[j] * column.y;
                    sum[4 * block + 2][j] += row[j] * column.z;
                    sum[4 * block + 3][j] += row[j] * column.w;
                }
                // end block
            }
        }
#pragma unroll
        for (int q = 0; q < QUADS; q++) {
            store((local_pointer float *)tiles_a[after], quad_line(item, q, !TRANSA), quad_depth(item, q, !TRANSA),
                  !TRANSA, next_a[q]);
            store((local_pointer float *)tiles_b[after], quad_line(item, q, TRANSB), quad_depth(item, q, TRANSB),
                  TRANSB, next_b[q]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 2; j++) {
            long row = top + i / 4 * 64 + y * 4 + i % 4, col = left + j * 64 + x * 4;
            float result[4];
            result[0] = sum[i][j].x;
            result[1] = sum[i][j].y;
            result[2] = sum[i][j].z;
            result[3] = sum[i][j].w;
            __global float *to = c + row * ldc + col;
            for (int e = 0; e < 4; e++)
                if (row < m && col + e < n)
                    to[e] = alpha * result[e] + (beta == 0 ? 0 : beta * to[e]);
        }
}
