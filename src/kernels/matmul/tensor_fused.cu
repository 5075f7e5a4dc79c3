// rung:    tensor-fused
// idea:    one launch for any shape: floats are split on their way to tensor cores; groups share the depth
// tune:    TILE = 0 in 0 1 2 3 4 5 6 7; CLUSTER = 0 in 0 1 2 4 8; SPANS = 0 in 0 1 2 3 4 5 6 8 10 12 16 20 24 32
// require: element_bytes == 4, works on float only
// require: compute == 9.0, needs wgmma, which only GPUs of compute capability 9.0 have
// tensor:  6
// takes:   batch

// The other tensor rungs make a pass over A and B, in several launches, before their products. That is most of the time
// of a small product, and of one whose matrices are read once. Here floats are copied to shared memory unchanged
// (cp.async), and each is split there, once for its tile, into three bfloat16 parts. The six products are those of
// tensor_split.cu. While wgmma multiplies one stage, the same warps split the next, and separate warps fetch. After
// each 16 deep the sum leaves the tensor core for a rounding addition.
//
// If there are too few tiles for the GPU, groups share the depth of each tile. CLUSTER groups add their sums through
// each other's shared memory, and SPANS of these clusters through scratch memory (arrivals.cuh), always in the order of
// their depths. The host chooses tile, cluster and spans from the shape (shape_choice.c).
//
// The products of a batch follow one another in the grid, each with all of its groups. In scratch memory all tiles of
// all products have places of their own.
//
// Low parts below about 2^-134 are lost. Results so small that this could matter, NaN and infinity are computed again
// from the floats.

#include "kernels/matmul/arrivals.cuh"

#include "kernels/matmul/cluster.cuh"
#include "kernels/matmul/fused_tiles.cuh"

#ifndef SHIFTED
#define SHIFTED 0
#endif
#ifndef BATCH // more than one product
#define BATCH 0
#endif
#define DEPTH 16 // of a stage
#ifndef STAGES
#define STAGES 4
#endif
#define ITEMS (128 * WARPGROUPS) // that split and multiply; the fetching items are behind them
#ifndef FETCHERS
#define FETCHERS 32
#endif
#ifndef GROUPS_EACH
#define GROUPS_EACH (WARPGROUPS == 2 ? 1 : Y_LINES == 128 ? 2 : Y_LINES == 64 ? 3 : 4) // minimum on a multiprocessor
#endif
#define BYTES(lines) ((lines)*64 + ((lines) < 32 ? 512 : (lines)*16)) // of an operand's lines, in either order
#define STAGE_X BYTES(X_LINES)
#define STAGE (STAGE_X + BYTES(Y_LINES))
#define PITCH (TILE_N + (SWAPPED ? 4 : 8)) // of the results in shared memory: a warp's stores are in different banks
#define GROUPED 8
#define HEADER 128 // bytes

#include "kernels/matmul/fused_products.cuh"

#include "kernels/matmul/doubtful_sums.cuh"

// ---- the depth ----------------------------------------------------------------------------------------------------

#if SWAPPED
typedef operand<X_LINES, TRANSB> operand_x;
typedef operand<Y_LINES, !TRANSA> operand_y;
#else
typedef operand<X_LINES, !TRANSA> operand_x;
typedef operand<Y_LINES, TRANSB> operand_y;
#endif

// Splits the stage at `stage`, X to `x` and Y to `planes`.
static __device__ __forceinline__ void split_stage(fragment &x, char *planes, const char *stage, const matrices &of,
                                                   float &largest)
{
    const shifts of_a = shifts_of(of.a, of.lda), of_b = shifts_of(of.b, of.ldb);
    split_x<SWAPPED ? TRANSB : !TRANSA>(x, stage, SWAPPED ? of_b : of_a, largest);
    split_y<SWAPPED ? !TRANSA : TRANSB>(planes, stage + STAGE_X, SWAPPED ? of_a : of_b, largest);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); // makes these stores visible to wgmma
}

struct ring {
    uint start, full, empty; // addresses of the stages and of the barriers
};

// Separate items fetch: the splitting items need a fence, which would wait for their own copies.
static __device__ __forceinline__ void fetch_slice(const matrices &of, const piece &own, const ring &ring)
{
    const operand<TILE_M, !TRANSA> rows(of.a, of.lda, own.row, of.m, own.from, of.k);
    const operand<TILE_N, TRANSB> columns(of.b, of.ldb, own.col, of.n, own.from, of.k);
#if SWAPPED
    operand_x x = columns;
    operand_y y = rows;
#else
    operand_x x = rows;
    operand_y y = columns;
#endif
    uint slot = 0, parity = 1;
    for (int left = own.to - own.from; left > 0; left -= DEPTH) {
        const uint to = ring.start + slot * STAGE;
        barrier_wait(ring.empty + slot * 8, parity);
        x.fetch(to, min(left, DEPTH));
        y.fetch(to + STAGE_X, min(left, DEPTH));
        asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(ring.full + slot * 8) : "memory");
        if (++slot == STAGES)
            slot = 0, parity ^= 1;
    }
}

// An item's place in the ring, and its splitting results: one stage's parts while another's are multiplied.
struct progress {
    uint slot, parity;
    fragment x[2];
    float largest; // largest magnitude that the item has read
};

// One stage: its parts are made while the previous stage's products run. SIDE is the stage modulo 2.
template <int SIDE>
static __device__ __forceinline__ void add_stage(float (&sum)[SUMS], float (&product)[SUMS], progress &now,
                                                 const matrices &of, char *shared, const ring &ring, bool first)
{
    barrier_wait(ring.full + now.slot * 8, now.parity);
    split_stage(now.x[SIDE], shared + STAGES * STAGE + SIDE * PLANES, shared + now.slot * STAGE, of, now.largest);
    __syncwarp(); // the other lanes have finished reading
    if (threadIdx.x % 32 == 0)
        barrier_arrive(ring.empty + now.slot * 8);
    if (++now.slot == STAGES)
        now.slot = 0, now.parity ^= 1;
    end_products(now.x[1 - SIDE]);
    if (!first)
        add_products(sum, product);
    asm volatile("bar.sync 1, %0;" ::"n"(ITEMS) : "memory"); // every item has split its part of the stage
    begin_products(product, now.x[SIDE], ring.start + STAGES * STAGE + SIDE * PLANES);
}

// Adds the slice to the item's sums. Returns the largest magnitude that the item has read.
static __device__ __forceinline__ float add_slice(float (&sum)[SUMS], const matrices &of, const piece &own,
                                                  char *shared, const ring &ring)
{
    const int stages = own.from < own.to ? (own.to - own.from + DEPTH - 1) / DEPTH : 0;
    progress now = {};
    float product[SUMS];
    for (int stage = 0; stage < stages; stage += 2) {
        add_stage<0>(sum, product, now, of, shared, ring, stage == 0);
        if (stage + 1 < stages)
            add_stage<1>(sum, product, now, of, shared, ring, false);
    }
    end_products(now.x[0]);
    end_products(now.x[1]);
    if (stages > 0)
        add_products(sum, product);
    return now.largest;
}

// ---- the kernel ---------------------------------------------------------------------------------------------------

#define SHARE (TILE_M / CLUSTER) // rows of the tile that one group of a cluster adds
#define ROWS (ITEMS / TILE_N)    // for all items at a time
#define AHEAD (SHARE / ROWS < 4 ? SHARE / ROWS : 4)

// An item's stores: its column, and the rows first, first + ROWS, … below `end` of the group's share.
struct target {
    float *to;
    long step;
    int first, end;
    float alpha, beta;
};

static __device__ __forceinline__ target target_of(const matrices &of, const piece &own, int rank)
{
    const int first = threadIdx.x / TILE_N;
    const long row = own.row + rank * SHARE, col = own.col + threadIdx.x % TILE_N;
    const int end = col < of.n ? (int)max(0l, min(of.m - row, (long)SHARE)) : 0;
    return {of.c + (row + first) * of.ldc + col, ROWS * of.ldc, first, end, of.alpha, of.beta};
}

static __device__ __forceinline__ void put(const target &at, float *to, float sum)
{
    *to = at.alpha * sum + (at.beta == 0 ? 0 : at.beta * *to);
}

// Adds the sums in the shared memories of the cluster's groups: each group for its share of the rows. The result goes
// to C or to `left`.
static __device__ __forceinline__ void add_cluster(const target &at, const float *tile, int rank, float *left)
{
    const float *from = tile + (rank * SHARE + at.first) * PITCH + threadIdx.x % TILE_N;
    float *to = at.to;
    for (int row = at.first; row < SHARE; row += ROWS * AHEAD) {
        float sum[AHEAD];
#pragma unroll
        for (int i = 0; i < AHEAD; i++, from += ROWS * PITCH) {
            sum[i] = CLUSTER == 1 ? *from : read_neighbour(from, 0);
#pragma unroll
            for (int other = 1; other < CLUSTER; other++)
                sum[i] += read_neighbour(from, other);
        }
#pragma unroll
        for (int i = 0; i < AHEAD; i++, to += at.step)
            if (left)
                __stcg(left + (row + i * ROWS) * TILE_N + threadIdx.x % TILE_N, sum[i]);
            else if (row + i * ROWS < at.end)
                put(at, to, sum[i]);
    }
}

// Adds the sums of this group's share that `spans` clusters stored in scratch memory.
static __device__ __forceinline__ void add_spans(const target &at, const float *left, int spans)
{
    float *to = at.to;
    const float *from = left + threadIdx.x;
#pragma unroll 2
    for (int row = at.first; row < at.end; row += ROWS, from += ITEMS, to += at.step) {
        float total = 0;
#pragma unroll 8
        for (int other = 0; other < spans; other++)
            total += __ldcg(from + other * (SHARE * TILE_N));
        put(at, to, total);
    }
}

// `work` begins with the number of the last launch that recomputed several of an item's results. Behind HEADER bytes
// follow flags, spans + 1 for each of a tile's CLUSTER shares of rows. These shares' sums are at byte `sums_at`.
extern "C" __global__ void __launch_bounds__(ITEMS + FETCHERS, GROUPS_EACH)
#if CLUSTER > 1
    __cluster_dims__(CLUSTER, 1, 1)
#endif
        matmul(const float *a, const float *b, float *c, char *work, long sums_at, long epoch, long m, long n, long k,
               float alpha, float beta, long lda, long ldb, long ldc, long spans, long slice)
{
    extern __shared__ __align__(128) char shared[];
    __shared__ uint largest_bits;
    __shared__ ulong barriers[2 * STAGES];
    const int tiles_m = (m + TILE_M - 1) / TILE_M, tiles_n = (n + TILE_N - 1) / TILE_N, tiles = tiles_m * tiles_n;
    const int rank = blockIdx.x % CLUSTER;
    const uint cluster = blockIdx.x / CLUSTER, parts = BATCH ? tiles * (uint)spans : 0;
    const long product = BATCH ? cluster / parts : 0;
    const int tile = cluster % tiles, span = (BATCH ? cluster % parts : cluster) / tiles;
    const matrices of = matrices_of({a, b, c, m, n, k, lda, ldb, ldc, alpha, beta}, product);
    const int above = tile / (GROUPED * tiles_n) * GROUPED, inside = tile % (GROUPED * tiles_n);
    const int height = min(GROUPED, tiles_m - above);
    const long from = min(k, (span * CLUSTER + rank) * slice);
    const piece own = {(long)(above + inside % height) * TILE_M, (long)(inside / height) * TILE_N, from,
                       min(k, from + slice)};
    const uint start = __cvta_generic_to_shared(shared), full = __cvta_generic_to_shared(barriers);
    const ring ring = {start, full, full + STAGES * 8};
    if (threadIdx.x == 0) {
        largest_bits = 0;
        for (int slot = 0; slot < STAGES; slot++) {
            barrier_create(ring.full + slot * 8, FETCHERS);    // when their copies are complete
            barrier_create(ring.empty + slot * 8, ITEMS / 32); // the splitting warps
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x >= ITEMS) {
        fetch_slice(of, own, ring);
        return;
    }
    float sum[SUMS] = {};
    const float largest = add_slice(sum, of, own, shared, ring);
    const uint bits = __reduce_max_sync(~0u, __float_as_uint(largest));
    if (threadIdx.x % 32 == 0)
        atomicMax(&largest_bits, bits);
    __syncthreads();
    const float most = __uint_as_float(largest_bits);
    float *results = (float *)shared;
    if (leave_tile(sum, of, own, results, most == 0 ? 0 : fmaxf(most * (own.to - own.from) * 0x1p-110f, 0x1p-100f)))
        *(volatile ulong *)work = epoch;
    wait_for_cluster();
    const target at = target_of(of, own, rank);
    if (spans == 1) {
        add_cluster(at, results, rank, 0);
        wait_for_cluster(); // other groups read this group's shared memory
        return;
    }
    const long place = (product * tiles + tile) * CLUSTER + rank;
    float *left = (float *)(work + sums_at) + place * spans * (SHARE * TILE_N);
    add_cluster(at, results, rank, left + span * (SHARE * TILE_N));
    wait_for_cluster();
    if (all_have_come((ulong *)(work + HEADER) + place * (spans + 1), span, spans, epoch, beta != 0))
        add_spans(at, left, spans);
}
