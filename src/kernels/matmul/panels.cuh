// Packs op(A) and op(B) into panels in the order in which a tiled product reads them: tile by tile, each along the
// depth. Zeros pad the matrix, so that odd sizes, padded rows and transposed operands cost no extra time.

#define LINES 128                 // of a tile, in both directions
#define DEPTH 32                  // of a stage
#define PANEL (LINES * DEPTH * 4) // bytes of one operand of a stage: DEPTH rows of LINES floats
#define PACKERS 256

// `work` begins with words: flags between groups; the next panel to pack; for each stage, its number of packed panels.
// The panels follow.
#define FLAGS 1024
#define NEXT FLAGS
#define READY (FLAGS + 1)

static __device__ __forceinline__ int stages_of(long k)
{
    return max(1l, (k + DEPTH - 1) / DEPTH);
}

static __device__ __forceinline__ int tiles_of(long lines)
{
    return (lines + LINES - 1) / LINES;
}

static __device__ __forceinline__ int words_of(int stages)
{
    return (READY + stages + 31) / 32 * 32;
}

// A matrix as a tile's lines: rows of op(A), columns of op(B).
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
        __syncthreads(); // the panel is complete before any item reads it
    }
#pragma unroll
    for (int i = 0; i < DEPTH * LINES / PACKERS; i++) {
        const int at = threadIdx.x + i * PACKERS;
        to[at] = ALONG ? tile[at / LINES][at % LINES] : own[i];
    }
}

// Packs the first `early` stages of every tile, before the product begins, and clears the words.
extern "C" __global__ void __launch_bounds__(PACKERS)
    pack(const float *a, const float *b, char *work, long early, long m, long n, long k, long lda, long ldb)
{
    const int stages = stages_of(k), tiles_a = tiles_of(m), words = words_of(stages);
    const int tile = blockIdx.x / (int)early, stage = blockIdx.x % (int)early;
    float *to = (float *)work + words + ((long)tile * stages + stage) * (PANEL / 4);
    if (blockIdx.x == 0)
        for (int i = threadIdx.x; i < words; i += PACKERS)
            ((uint *)work)[i] = 0;
    if (tile < tiles_a)
        pack_panel<!TRANSA>(to, {a, m, k, lda}, (long)tile * LINES, (long)stage * DEPTH);
    else
        pack_panel<TRANSB>(to, {b, n, k, ldb}, (long)(tile - tiles_a) * LINES, (long)stage * DEPTH);
}

// ---- during the product -------------------------------------------------------------------------------------------

// Packs one panel with one warp. If the depth is contiguous, a lane has one depth of eight lines at a time.
#define AT_ONCE 8
template <bool ALONG, bool WHOLE>
static __device__ __forceinline__ void pack_panel_by_warp(float *to, const operand &x, long line, long depth)
{
    const int lane = threadIdx.x % 32;
    float v[AT_ONCE];
#pragma unroll 1
    for (int i = 0; i < LINES; i += AT_ONCE) {
#pragma unroll
        for (int j = 0; j < AT_ONCE; j++) {
            const long l = line + (ALONG ? i + j : j % 4 * 32 + lane), d = depth + (ALONG ? lane : i / 4 + j / 4);
            v[j] = WHOLE || (l < x.lines && d < x.depth) ? *address<ALONG>(x, l, d) : 0;
        }
#pragma unroll
        for (int j = 0; j < AT_ONCE; j += ALONG ? 4 : 1)
            if (ALONG)
                *(float4 *)(to + lane * LINES + i + j) = make_float4(v[j], v[j + 1], v[j + 2], v[j + 3]);
            else
                to[(i / 4 + j / 4) * LINES + j % 4 * 32 + lane] = v[j];
    }
}

template <bool ALONG>
static __device__ __forceinline__ void pack_by_warp(float *to, const operand &x, long line, long depth)
{
    if (line + LINES <= x.lines && depth + DEPTH <= x.depth)
        pack_panel_by_warp<ALONG, true>(to, x, line, depth);
    else
        pack_panel_by_warp<ALONG, false>(to, x, line, depth);
}

// Packs the stages from `early` on, panel by panel, in the order of their use: each warp takes the next panel.
static __device__ void pack_the_rest(char *work, const operand &a, const operand &b, int early)
{
    const int stages = stages_of(a.depth), tiles_a = tiles_of(a.lines), tiles = tiles_a + tiles_of(b.lines);
    float *panels = (float *)work + words_of(stages);
    for (;;) {
        uint taken = 0;
        if (threadIdx.x % 32 == 0)
            taken = atomicAdd((uint *)work + NEXT, 1);
        taken = __shfl_sync(~0u, taken, 0);
        const int stage = early + taken / tiles, tile = taken % tiles;
        if (stage >= stages)
            return;
        float *to = panels + ((long)tile * stages + stage) * (PANEL / 4);
        if (tile < tiles_a)
            pack_by_warp<!TRANSA>(to, a, (long)tile * LINES, (long)stage * DEPTH);
        else
            pack_by_warp<TRANSB>(to, b, (long)(tile - tiles_a) * LINES, (long)stage * DEPTH);
        asm volatile("fence.proxy.async;" ::: "memory"); // makes the panel visible to bulk copies
        __threadfence();
        __syncwarp();
        if (threadIdx.x % 32 == 0)
            asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"((uint *)work + READY + stage) : "memory");
    }
}

// Waits until all panels of a stage are packed.
static __device__ void wait_for_panels(const char *work, int stage, int tiles)
{
    uint packed = 0;
    while (packed < tiles)
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
                     : "=r"(packed)
                     : "l"((const uint *)work + READY + stage)
                     : "memory");
    asm volatile("fence.proxy.async;" ::: "memory");
}
