// rung:    shallow
// idea:    few products for each result: a warp writes whole rows, straight from registers
// group:   256
// groups:  ceil(m / 64) * ceil(n / 128)
// args:    a, b, c, m, n, k * (alpha != 0), alpha, beta, k + lda_pad + (m - k) * transa, n + ldb_pad + (k - n) * transb, n + ldc_pad
// require: element_bytes == 4, works on float only
// require: compute >= 8.0, needs asynchronous copies, which GPUs have from compute capability 8.0 on

// For a small depth, results are most of the traffic. An item has eight rows of four columns, 32 apart: a warp stores
// 128 bytes of a row at a time, whatever the row's length. 16 deep of A and B are copied to shared memory float by
// float, asynchronously and past the registers, two stages ahead. A is stored by columns: an item's eight elements of A
// are the same for the whole warp, two broadcasts.

#define TILE_M 64
#define TILE_N 128
#define DEPTH 16
#define STAGES 3
#define ITEMS 256
#define ROWS 8
#define COLUMNS 4
#define PITCH_A (TILE_M + 4)
#define STAGE (DEPTH * (PITCH_A + TILE_N)) // floats

static __device__ __forceinline__ void copy_four(float *to, const float *from)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((uint)__cvta_generic_to_shared(to)), "l"(from));
}

// Copies one stage of LINES lines to `to`, [depth][line]. Elements beyond the depth are not written. An existing line
// substitutes for lines beyond the matrix.
template <int LINES, int PITCH, bool ALONG>
static __device__ __forceinline__ void fetch(float *to, const float *x, long ld, long first, long lines, int depth)
{
    const int width = ALONG ? DEPTH : LINES,
              step = ITEMS / width; // rows, in memory order, in one copy of all items
    const int row = threadIdx.x / width, col = threadIdx.x % width;
    const int last = min(lines - 1 - first, (long)LINES);
#pragma unroll
    for (int i = 0; i < LINES * DEPTH / ITEMS; i++) {
        const int r = row + i * step, line = ALONG ? r : col, k = ALONG ? col : r;
        const long at = first + min(line, last);
        if (k < depth)
            copy_four(to + k * PITCH + line, x + (ALONG ? at * ld + k : k * ld + at));
    }
}

extern "C" __global__ void __launch_bounds__(ITEMS, 3)
    matmul(const float *a, const float *b, float *c, long m, long n, long k, float alpha, float beta, long lda,
           long ldb, long ldc)
{
    __shared__ __align__(16) float shared[STAGES * STAGE];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, tiles_n = (n + TILE_N - 1) / TILE_N;
    const long top = (long)(blockIdx.x / tiles_n) * TILE_M, left = (long)(blockIdx.x % tiles_n) * TILE_N;
    const int stages = (k + DEPTH - 1) / DEPTH;
    float sum[ROWS][COLUMNS] = {};
    for (int stage = 1 - STAGES; stage < stages; stage++) {
        if (stage >= 0) {
            asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
            __syncthreads();
        }
        const int ahead = stage + STAGES - 1;
        if (ahead < stages) {
            float *to = shared + ahead % STAGES * STAGE;
            const long from = (long)ahead * DEPTH;
            fetch<TILE_M, PITCH_A, !TRANSA>(to, a + (TRANSA ? from * lda : from), lda, top, m, k - from);
            fetch<TILE_N, TILE_N, TRANSB>(to + DEPTH * PITCH_A, b + (TRANSB ? from : from * ldb), ldb, left, n,
                                          k - from);
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
        if (stage < 0)
            continue;
        const float *rows = shared + stage % STAGES * STAGE + warp * ROWS;
        const float *columns = shared + stage % STAGES * STAGE + DEPTH * PITCH_A + lane;
        const int depth = min((long)DEPTH, k - (long)stage * DEPTH);
#pragma unroll 4
        for (int i = 0; i < depth; i++) {
            float row[ROWS], column[COLUMNS];
            *(float4 *)row = *(const float4 *)(rows + i * PITCH_A);
            *(float4 *)(row + 4) = *(const float4 *)(rows + i * PITCH_A + 4);
#pragma unroll
            for (int j = 0; j < COLUMNS; j++)
                column[j] = columns[i * TILE_N + j * 32];
#pragma unroll
            for (int r = 0; r < ROWS; r++)
#pragma unroll
                for (int j = 0; j < COLUMNS; j++)
                    sum[r][j] = fmaf(row[r], column[j], sum[r][j]);
        }
    }
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const long line = top + warp * ROWS + r;
        float *to = c + line * ldc + left + lane;
#pragma unroll
        for (int j = 0; j < COLUMNS; j++)
            if (line < m && left + lane + j * 32 < n)
                to[j * 32] = alpha * sum[r][j] + (beta == 0 ? 0 : beta * to[j * 32]);
    }
}
