// rung:    shallow
// idea:    few products for each result: a warp writes whole rows, straight from registers
// tune:    ROWS = 8 + 8 * (batch * m * n > 900000 && (batch == 1 || m > 32)) in 8 16
// group:   128
// groups:  ceil(m / (4 * ROWS)) * ceil(n / 128) * batch
// args:    a, b, c, m, n, k * (alpha != 0), alpha, beta, k + lda_pad + (m - k) * transa, n + ldb_pad + (k - n) * transb, n + ldc_pad
// takes:   batch
// require: element_bytes == 4, works on float only
// require: compute >= 8.0, needs asynchronous copies, which GPUs have from compute capability 8.0 on

// For a small depth, results are most of the traffic. A warp has ROWS rows of 128 columns, and an item every 32nd of
// these columns: a warp stores 128 bytes of a row at a time, whatever the row's length. 16 deep of A and B are copied
// to shared memory float by float, asynchronously and past the registers, two stages ahead. All items of a warp need
// the same elements of A: one broadcast read gives four depths of a row, for 16 multiply-adds. Groups are small, so
// that a multiprocessor has several: while one stores its results, others multiply.
//
// The products of a batch follow one another in the grid, each with all of its tiles.

#define WARPS 4
#define TILE_M (WARPS * ROWS)
#define TILE_N 128
#define DEPTH 16
#define STAGES 3
#define ITEMS (32 * WARPS)
#define COLUMNS 4
#define PITCH_A (TRANSA ? DEPTH + 4 : DEPTH)       // A's lines follow one another, 16 deep each,
#define PITCH_B (TRANSB ? TILE_N + 2 : TILE_N)     // and B's depths, 128 columns each
#define STAGE (TILE_M * PITCH_A + DEPTH * PITCH_B) // floats

#include "kernels/matmul/copy_four.cuh"

// What an item copies of LINES lines of A or B: element (line, depth) of a stage goes to place line * ACROSS + depth *
// DOWN. ALONG: depth is contiguous in memory. Elements beyond the depth and beyond the matrix become zeros. (If a line
// substituted for those, many items would copy one float, each copy by itself.)
template <int LINES, int ACROSS, int DOWN, bool ALONG> struct copies {
    static const int WIDTH = ALONG ? DEPTH : LINES, STEP = ITEMS / WIDTH; // rows of memory in one copy of all items
    const float *from;                                                    // the item's first element of the next stage
    long step;                                                            // to its next element
    int last;                                                             // line, from the item's first one on; or -1
    bool inside;                                                          // all lines exist

    __device__ __forceinline__ copies(const float *x, long ld, long first, long lines)
    {
        const int row = threadIdx.x / WIDTH, col = threadIdx.x % WIDTH;
        const long own = first + (ALONG ? row : col), line = min(own, lines - 1), k = ALONG ? col : row;
        from = x + (ALONG ? line * ld + k : k * ld + line);
        step = STEP * ld;
        last = (int)max(-1l, min(lines - 1 - own, (long)LINES));
        inside = first + LINES <= lines;
    }

    template <bool WHOLE> __device__ __forceinline__ void fetch_stage(float *to, int depth)
    {
        const int row = threadIdx.x / WIDTH, col = threadIdx.x % WIDTH;
        const float *at = from;
        to += ALONG ? row * ACROSS + col * DOWN : row * DOWN + col * ACROSS;
#pragma unroll
        for (int i = 0; i < LINES * DEPTH / ITEMS; i++) {
            const bool exists = (ALONG ? i * STEP : 0) <= last && (ALONG ? col : row + i * STEP) < depth;
            copy_four(shared_address(to + i * STEP * (ALONG ? ACROSS : DOWN)), at, WHOLE || exists);
            at += WHOLE || !ALONG || (i + 1) * STEP <= last ? step : 0;
        }
        from += ALONG ? DEPTH : DEPTH / STEP * step;
    }

    // Fetches the next stage, of which `depth` exists. Most stages are whole, and need no tests of each float.
    __device__ __forceinline__ void fetch(float *to, int depth)
    {
        if (depth == DEPTH && inside)
            fetch_stage<true>(to, depth);
        else
            fetch_stage<false>(to, depth);
    }
};

// Adds the products of four depths to the item's sums.
static __device__ __forceinline__ void add_four(float (&sum)[ROWS][COLUMNS], const float *rows, const float *columns)
{
    float column[4][COLUMNS];
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < COLUMNS; j++)
            column[i][j] = columns[i * PITCH_B + j * 32];
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const float4 row = *(const float4 *)(rows + r * PITCH_A);
#pragma unroll
        for (int j = 0; j < COLUMNS; j++)
            sum[r][j] = fmaf(row.x, column[0][j], sum[r][j]);
#pragma unroll
        for (int j = 0; j < COLUMNS; j++)
            sum[r][j] = fmaf(row.y, column[1][j], sum[r][j]);
#pragma unroll
        for (int j = 0; j < COLUMNS; j++)
            sum[r][j] = fmaf(row.z, column[2][j], sum[r][j]);
#pragma unroll
        for (int j = 0; j < COLUMNS; j++)
            sum[r][j] = fmaf(row.w, column[3][j], sum[r][j]);
    }
}

// Stores the item's sums at `to`, as far as there are rows and columns from there on. PLAIN: all exist, and C is not
// read.
template <bool PLAIN>
static __device__ __forceinline__ void store(float *to, const float (&sum)[ROWS][COLUMNS], long ldc, float alpha,
                                             float beta, long rows, long columns)
{
#pragma unroll
    for (int r = 0; r < ROWS; r++, to += ldc)
#pragma unroll
        for (int j = 0; j < COLUMNS; j++)
            if (PLAIN)
                to[j * 32] = alpha * sum[r][j];
            else if (r < rows && j * 32 < columns)
                to[j * 32] = alpha * sum[r][j] + (beta == 0 ? 0 : beta * to[j * 32]);
}

extern "C" __global__ void __launch_bounds__(ITEMS, ROWS == 16 ? 4 : 6)
    matmul(const float *a, const float *b, float *c, long m, long n, long k, float alpha, float beta, long lda,
           long ldb, long ldc)
{
    __shared__ __align__(16) float shared[STAGES * STAGE];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, tiles_n = (n + TILE_N - 1) / TILE_N;
    const int tiles = (m + TILE_M - 1) / TILE_M * tiles_n;
    const uint product = BATCH ? blockIdx.x / tiles : 0, tile = blockIdx.x - product * tiles;
    const long top = (long)(tile / tiles_n) * TILE_M, left = (long)(tile % tiles_n) * TILE_N;
    const int stages = (k + DEPTH - 1) / DEPTH;
    copies<TILE_M, PITCH_A, 1, !TRANSA> of_a(a + product * lda * (TRANSA ? k : m), lda, top, m);
    copies<TILE_N, 1, PITCH_B, TRANSB> of_b(b + product * ldb * (TRANSB ? n : k), ldb, left, n);
    float sum[ROWS][COLUMNS] = {};
    for (int stage = 1 - STAGES; stage < stages; stage++) {
        if (stage >= 0) {
            asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
            __syncthreads();
        }
        const int ahead = stage + STAGES - 1;
        if (ahead < stages) {
            float *to = shared + ahead % STAGES * STAGE;
            const int depth = min((long)DEPTH, k - (long)ahead * DEPTH);
            of_a.fetch(to, depth);
            of_b.fetch(to + TILE_M * PITCH_A, depth);
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
        if (stage < 0)
            continue;
        const float *rows = shared + stage % STAGES * STAGE + warp * ROWS * PITCH_A;
        const float *columns = shared + stage % STAGES * STAGE + TILE_M * PITCH_A + lane;
        const int depth = min((long)DEPTH, k - (long)stage * DEPTH);
        for (int i = 0; i < depth; i += 4)
            add_four(sum, rows + i, columns + i * PITCH_B);
    }
    const long row = top + warp * ROWS, col = left + lane;
    float *to = c + (product * m + row) * ldc + col;
    if (beta == 0 && row + ROWS <= m && left + TILE_N <= n)
        store<true>(to, sum, ldc, alpha, beta, ROWS, TILE_N);
    else
        store<false>(to, sum, ldc, alpha, beta, m - row, n - col);
}
