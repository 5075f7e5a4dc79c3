// op(A) and op(B) as panels in the order in which a product of tiles reads them: tile by tile, each along the depth.
// Zeros stand beyond the matrix, so that odd sizes, padded rows and transposed operands cost the same as any others.

#define LINES 128                 // of a tile, both ways
#define DEPTH 32                  // of a stage
#define PANEL (LINES * DEPTH * 4) // bytes of one operand of a stage: DEPTH rows of LINES floats
#define FLAGS 1024                // words at the start of `work`, before the panels
#define PACKERS 256

// A matrix as the lines of a tile see it: rows of op(A), columns of op(B).
struct operand {
    const float *from;
    long lines, depth, stride;
};

// ALONG: the depth is contiguous in memory.
template <bool ALONG> static __device__ __forceinline__ const float *address(const operand &x, long line, long depth)
{
    return ALONG ? x.from + line * x.stride + depth : x.from + depth * x.stride + line;
}

// One panel, DEPTH rows of LINES floats, with zeros beyond the matrix.
template <bool ALONG>
static __device__ __forceinline__ void pack_panel(float *to, const operand &x, long line, long depth)
{
    __shared__ float tile[DEPTH][LINES + 1];
    const bool whole = line + LINES <= x.lines && depth + DEPTH <= x.depth;
    float own[DEPTH * LINES / PACKERS];
#pragma unroll
    for (int i = 0; i < DEPTH * LINES / PACKERS; i++) {
        const int at = threadIdx.x + i * PACKERS, l = ALONG ? at / DEPTH : at % LINES,
                  d = ALONG ? at % DEPTH : at / LINES;
        own[i] = whole || (line + l < x.lines && depth + d < x.depth) ? *address<ALONG>(x, line + l, depth + d) : 0;
    }
    if (ALONG) {
#pragma unroll
        for (int i = 0; i < DEPTH * LINES / PACKERS; i++)
            tile[threadIdx.x % DEPTH][threadIdx.x / DEPTH + i * (PACKERS / DEPTH)] = own[i];
        __syncthreads(); // the panel is stored before anyone reads it
    }
#pragma unroll
    for (int i = 0; i < DEPTH * LINES / PACKERS; i++) {
        const int at = threadIdx.x + i * PACKERS;
        to[at] = ALONG ? tile[at / LINES][at % LINES] : own[i];
    }
}

extern "C" __global__ void __launch_bounds__(PACKERS)
    pack(const float *a, const float *b, char *work, long m, long n, long k, long lda, long ldb)
{
    const int stages = max(1l, (k + DEPTH - 1) / DEPTH), tiles_a = (m + LINES - 1) / LINES;
    const int tile = blockIdx.x / stages, stage = blockIdx.x % stages;
    float *to = (float *)work + FLAGS + (long)blockIdx.x * (PANEL / 4);
    if (blockIdx.x == 0)
        for (int i = threadIdx.x; i < FLAGS; i += PACKERS)
            ((uint *)work)[i] = 0;
    if (tile < tiles_a)
        pack_panel<!TRANSA>(to, {a, m, k, lda}, (long)tile * LINES, (long)stage * DEPTH);
    else
        pack_panel<TRANSB>(to, {b, n, k, ldb}, (long)(tile - tiles_a) * LINES, (long)stage * DEPTH);
}
