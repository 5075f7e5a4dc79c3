// rung:    double-buffered
// idea:    double-buffered, with each of its steps from register-tiles as a parameter
// tune:    BLOCKS = 1 in 0 1; QUADS = 1 in 0 1; AHEAD = 1 in 0 1; BUFFERS = 2 in 1 2
// tune:    DEPTH = 8 in 8 16
// group:   16, 16
// groups:  ceil(n / 128), ceil(m / 128)
// args:    a, b, c, m, n, k * (alpha != 0), alpha, beta, k + lda_pad + (m - k) * transa, n + ldb_pad + (k - n) * transb, n + ldc_pad
// require: 8 * DEPTH * BUFFERS * 132 <= local_bytes, the tiles do not fit local memory; a smaller DEPTH might
// require: element_bytes == 4, works on float only

// BLOCKS: an item's results are four blocks of 4 × 4, so it reads four floats of a tile at once; else rows and columns
// that are 16 apart, one float at a time. QUADS: four floats at a time from memory. AHEAD: the next tiles are fetched
// before these are multiplied. BUFFERS: two pairs of tiles, and one barrier a round; one pair, and two.

#define TILE 128
#define ITEMS 256
#define FETCHED (TILE * DEPTH / ITEMS) // floats of each tile that an item fetches
#define ROW (TILE + 4)

#define A(row, i) ((row) < m && (i) < k ? a[TRANSA ? lda * (i) + (row) : lda * (row) + (i)] : 0)
#define B(i, col) ((i) < k && (col) < n ? b[TRANSB ? ldb * (col) + (i) : ldb * (i) + (col)] : 0)

// Where the q-th part (one float, or four) of an item lies in a tile: along the depth, or along the lines.
#define PART (QUADS ? 4 : 1)

int part_line(int item, int q, int along_depth)
{
    int i = item + q * ITEMS;
    return along_depth ? i / (DEPTH / PART) : i % (TILE / PART) * PART;
}

int part_depth(int item, int q, int along_depth)
{
    int i = item + q * ITEMS;
    return along_depth ? i % (DEPTH / PART) * PART : i / (TILE / PART);
}

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

// The row or column, from 0 to 127, of an item's i-th result.
int place(int item, int i)
{
    return BLOCKS ? i / 4 * 64 + item * 4 + i % 4 : item + i * 16;
}

// Two groups on a multiprocessor for every combination: at most 128 registers.
#ifdef __CUDACC__
#define shape __launch_bounds__(ITEMS, 2)
#else
#define shape group_shape(16, 16, 1)
#endif

__kernel shape void matmul(__global const float *a, __global const float *b, __global float *c, long m, long n, long k,
                           float alpha, float beta, long lda, long ldb, long ldc)
{
    local_array float4 tiles_a[BUFFERS][DEPTH][ROW / 4];
    local_array float4 tiles_b[BUFFERS][DEPTH][ROW / 4];
    int x = get_local_id(0);
    int y = get_local_id(1);
    int item = y * 16 + x;
    long left = (long)get_group_id(0) * TILE;
    long top = (long)get_group_id(1) * TILE;
    float sum[8][8];
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j++)
            sum[i][j] = 0;
    // Round `tile` uses what the round before fetched; the first one uses nothing.
    for (long tile = -DEPTH; tile < k; tile += DEPTH) {
        int now = BUFFERS == 2 ? tile / DEPTH & 1 : 0, after = BUFFERS == 2 ? 1 - now : 0;
        long ahead = tile + DEPTH;
#if QUADS
        float4 next_a[FETCHED / 4], next_b[FETCHED / 4];
#else
        float next_a[FETCHED], next_b[FETCHED];
#endif
#pragma unroll
        for (int part = 0; part < 2; part++) {
            if (part == 1 - AHEAD) {
#pragma unroll
                for (int q = 0; q < FETCHED / PART; q++) {
                    long row = top + part_line(item, q, !TRANSA), depth_a = ahead + part_depth(item, q, !TRANSA);
                    long col = left + part_line(item, q, TRANSB), depth_b = ahead + part_depth(item, q, TRANSB);
#if QUADS
                    next_a[q] = TRANSA ? fetch(a, depth_a, row, k, m, lda) : fetch(a, row, depth_a, m, k, lda);
                    next_b[q] = TRANSB ? fetch(b, col, depth_b, n, k, ldb) : fetch(b, depth_b, col, k, n, ldb);
#else
                    next_a[q] = A(row, depth_a);
                    next_b[q] = B(depth_b, col);
#endif
                }
            } else if (tile >= 0) {
#pragma unroll
                for (int depth = 0; depth < DEPTH; depth++) {
                    float row[8];
#pragma unroll
                    for (int side = 0; side < 2; side++) {
#if BLOCKS
                        float4 four = tiles_b[now][depth][x + 16 * side];
                        row[4 * side] = four.x;
                        row[4 * side + 1] = four.y;
                        row[4 * side + 2] = four.z;
                        row[4 * side + 3] = four.w;
#else
#pragma unroll
                        for (int i = 0; i < 4; i++)
                            row[4 * side + i] = ((local_pointer float *)tiles_b[now][depth])[x + 16 * (4 * side + i)];
#endif
                    }
#pragma unroll
                    for (int side = 0; side < 2; side++) {
                        float4 column;
#if BLOCKS
                        column = tiles_a[now][depth][y + 16 * side];
#else
                        local_pointer float *from = (local_pointer float *)tiles_a[now][depth] + y + 64 * side;
                        column = make_float4(from[0], from[16], from[32], from[48]);
#endif
#pragma unroll
                        for (int j = 0; j < 8; j++) {
                            sum[4 * side][j] += row[j] * column.x;
                            sum[4 * side + 1][j] += row[j] * column.y;
                            sum[4 * side + 2][j] += row[j] * column.z;
                            sum[4 * side + 3][j] += row[j] * column.w;
                        }
                    }
                }
            }
        }
        if (BUFFERS == 1)
            barrier(CLK_LOCAL_MEM_FENCE); // all have read the tiles before they are overwritten
#pragma unroll
        for (int q = 0; q < FETCHED / PART; q++) {
            int line_a = part_line(item, q, !TRANSA), depth_a = part_depth(item, q, !TRANSA);
            int line_b = part_line(item, q, TRANSB), depth_b = part_depth(item, q, TRANSB);
#if QUADS
            store((local_pointer float *)tiles_a[after], line_a, depth_a, !TRANSA, next_a[q]);
            store((local_pointer float *)tiles_b[after], line_b, depth_b, TRANSB, next_b[q]);
#else
            ((local_pointer float *)tiles_a[after][depth_a])[line_a] = next_a[q];
            ((local_pointer float *)tiles_b[after][depth_b])[line_b] = next_b[q];
#endif
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j++) {
            long row = top + place(y, i), col = left + place(x, j);
            if (row < m && col < n)
                c[row * ldc + col] = alpha * sum[i][j] + (beta == 0 ? 0 : beta * c[row * ldc + col]);
        }
}
