// rung:    tensor-fused
// idea:    one launch for any shape: floats are split in registers on their way to tensor cores; groups share the depth
// tune:    TILE = 0 in 0 1 2 3 4 5 6 7 8 9 10; CLUSTER = 0 in 0 1 2 4 8; SPANS = 0 in 0 1 2 4 8 16 32
// require: element_bytes == 4, works on float only
// require: compute >= 9.0, needs thread block clusters, which GPUs have from compute capability 9.0 on
// tensor:  6

// A pass over A and B and several launches come before the products of the other tensor rungs: most of the time of a
// small product, and of one whose matrices are read once. Here floats come to shared memory as they are (cp.async). A
// warp splits what it multiplies in registers, into two numbers of TF32 (11 bits each, a float's range): three
// products. They take as long as six of bfloat16. The small ones come first, and each 16 deep the sum leaves the
// tensor core for a rounding addition.
//
// Where tiles are too few for the GPU, groups share the depth of each: CLUSTER of them add up through each other's
// shared memory, SPANS of these clusters through scratch memory (arrivals.cuh), always in the order of their depths.
// The host chooses tile, cluster and spans from the shape (shape_choice.c).
//
// What two numbers of TF32 do not hold is computed otherwise:
// - Sums that float arithmetic computes exactly must be exact. Then at most four products of a sum are of two
//   numbers of more than 11 bits: their low parts' product would be beyond the sum's last place otherwise. So where a
//   stage has more such pairs, it is no such case; elsewhere a second pass adds the products that were left out.
// - Low parts below about 2^-136 are lost. Results so small that this could matter, NaN and infinity are computed again
//   from the floats.

#include "kernels/matmul/arrivals.cuh"

#include "kernels/matmul/fused_tiles.cuh"

#if CLUSTER == 0
#undef CLUSTER
#define CLUSTER 1
#endif

#ifndef SHIFTED
#define SHIFTED 0
#endif
#define DEPTH 32 // of a stage
#ifndef STAGES
#define STAGES 3
#endif
#define ITEMS (32 * WARPS_M * WARPS_N)
#define GROUPS_EACH (TILE == 8 ? 1 : TILE == 7 ? 2 : 3) // on a multiprocessor, at least
// Bytes of an operand's lines; SHIFTED: as many as rows need in either order.
#define BYTES(lines) ((lines)*128 + (SHIFTED ? (lines) < 64 ? 1024 : (lines)*16 : 0))
#define STAGE_A BYTES(TILE_M)
#define STAGE (STAGE_A + BYTES(TILE_N))
#define OCTETS_M (TILE_M / WARPS_M / 8) // of a warp's lines
#define OCTETS_N (TILE_N / WARPS_N / 8)
#define RESULTS (OCTETS_M * OCTETS_N * 2) // of an item
#define PITCH (TILE_N + 1)                // of the tile of results in shared memory
#define GROUPED 8
#define EXACT_PAIRS 4

#include "kernels/matmul/stages.cuh"
#include "kernels/matmul/warp_products.cuh"

// ---- instructions -------------------------------------------------------------------------------------------------

static __device__ __forceinline__ void wait_for_cluster()
{
    if (CLUSTER > 1)
        asm volatile("barrier.cluster.arrive.release.aligned;\n"
                     "barrier.cluster.wait.acquire.aligned;" ::
                         : "memory");
    else
        __syncthreads();
}

// The float at `address`, as in this group, of the shared memory of the cluster's group `rank`.
static __device__ __forceinline__ float read_neighbour(const float *address, int rank)
{
    float value;
    asm volatile("{.reg .b32 there; mapa.shared::cluster.u32 there, %1, %2; ld.shared::cluster.f32 %0, [there];}"
                 : "=f"(value)
                 : "r"((uint)__cvta_generic_to_shared(address)), "r"(rank));
    return value;
}

// ---- the depth ----------------------------------------------------------------------------------------------------

struct matrices {
    const float *a, *b;
    float *c;
    long m, n, k, lda, ldb, ldc;
    float alpha, beta;
};

// A group's tile, and its slice of the depth.
struct piece {
    long row, col, from, to;
};

// Numbers of more than 11 bits.
template <int OCTETS> static __device__ __forceinline__ uint count_long(const float (&x)[OCTETS][4])
{
    uint count = 0;
#pragma unroll
    for (int octet = 0; octet < OCTETS; octet++)
#pragma unroll
        for (int i = 0; i < 4; i++)
            count += (__float_as_uint(x[octet][i]) & 0x1fff) != 0;
    return count;
}

// Adds the slice to the warp's sums. `largest` is the largest magnitude of what the item has seen; `count`, not in the
// second pass, what count_long finds in the first stage.
template <bool REST>
static __device__ __forceinline__ void add_slice(sums &sum, const matrices &of, const piece &own, char *shared,
                                                 float &largest, uint (&count)[2])
{
    const int warp = threadIdx.x / 32, warp_m = warp % WARPS_M, warp_n = warp / WARPS_M;
    const int stages = own.from < own.to ? (own.to - own.from + DEPTH - 1) / DEPTH : 0;
    const uint start = __cvta_generic_to_shared(shared);
    operand<TILE_M, !TRANSA> rows(of.a, of.lda, own.row, of.m, own.from, of.k);
    operand<TILE_N, TRANSB> columns(of.b, of.ldb, own.col, of.n, own.from, of.k);
    long left = own.to - own.from; // to be fetched
    for (int stage = 1 - STAGES, slot = 0, free = 0; stage < stages; stage++) {
        if (stage >= 0) {
            asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
            __syncthreads();
        }
        if (left > 0) {
            rows.fetch(start + free * STAGE, min(left, (long)DEPTH));
            columns.fetch(start + free * STAGE + STAGE_A, min(left, (long)DEPTH));
            left -= DEPTH;
            free = free == STAGES - 1 ? 0 : free + 1;
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
        if (stage < 0)
            continue;
        const char *now = shared + slot * STAGE;
        slot = slot == STAGES - 1 ? 0 : slot + 1;
        const int depth = min(own.to - own.from - (long)stage * DEPTH, (long)DEPTH);
#pragma unroll
        for (int k = 0; k < DEPTH; k += 16) {
            if (k >= depth)
                break;
            float a[OCTETS_M][4], b[OCTETS_N][4];
            load<TILE_M, !TRANSA>(a, now, warp_m * OCTETS_M * 8, k, of.lda & 3);
            load<TILE_N, TRANSB>(b, now + STAGE_A, warp_n * OCTETS_N * 8, k, of.ldb & 3);
            if (!REST && stage == 0)
                count[0] += count_long(a), count[1] += count_long(b);
            const int turn = stage * 2 + k / 16;
            if (!REST && turn % WARPS_N == warp_n)
                note_largest(largest, a);
            if (!REST && turn % WARPS_M == warp_m)
                note_largest(largest, b);
            add_products<REST>(sum, a, b);
        }
    }
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
}

// ---- what parts do not hold ---------------------------------------------------------------------------------------

static __device__ __noinline__ float multiply_plainly(const float *a, const float *b, long step_a, long step_b,
                                                      long depth)
{
    float sum = 0;
    for (long k = 0; k < depth; k++)
        sum += a[k * step_a] * b[k * step_b];
    return sum;
}

// The slice of a result's sum, in float.
static __device__ __forceinline__ float again(const matrices &of, const piece &own, long row, long col)
{
    const long step_a = TRANSA ? of.lda : 1, step_b = TRANSB ? 1 : of.ldb;
    return multiply_plainly(of.a + row * (TRANSA ? 1 : of.lda) + own.from * step_a,
                            of.b + col * (TRANSB ? of.ldb : 1) + own.from * step_b, step_a, step_b, own.to - own.from);
}

// Row and column, within the tile, of result e of sum[i][j].
static __device__ __forceinline__ int row_of(int i, int e)
{
    const int lane = threadIdx.x % 32, warp_m = threadIdx.x / 32 % WARPS_M;
    return warp_m * OCTETS_M * 8 + line_of<OCTETS_M, !TRANSA>(2 * i + e / 2, lane / 4);
}

static __device__ __forceinline__ int col_of(int j, int e)
{
    const int lane = threadIdx.x % 32, warp_n = threadIdx.x / 32 / WARPS_M;
    return warp_n * OCTETS_N * 8 + line_of<OCTETS_N, TRANSB>(j, lane % 4 * 2 + e % 2);
}

// Sums to shared memory; those below `least` and those that are no finite numbers are computed again.
static __device__ __forceinline__ void leave_tile(const sums &sum, const matrices &of, const piece &own, float *tile,
                                                  float least)
{
#pragma unroll
    for (int i = 0; i < OCTETS_M / 2; i++)
#pragma unroll
        for (int j = 0; j < OCTETS_N; j++)
#pragma unroll
            for (int e = 0; e < 4; e++) {
                const int row = row_of(i, e), col = col_of(j, e);
                tile[row * PITCH + col] = sum[i][j][e];
            }
    bool good = true;
#pragma unroll
    for (int i = 0; i < RESULTS; i++) {
        const float value = sum[i / 4 / OCTETS_N][i / 4 % OCTETS_N][i % 4];
        good &= fabsf(value) >= least && fabsf(value) <= 3.4e38f;
    }
    if (good)
        return;
    for (int i = 0; i < RESULTS; i++) {
        const int row = row_of(i / 4 / OCTETS_N, i % 4), col = col_of(i / 4 % OCTETS_N, i % 4);
        float &value = tile[row * PITCH + col];
        if (own.row + row < of.m && own.col + col < of.n && !(fabsf(value) >= least && fabsf(value) <= 3.4e38f))
            value = again(of, own, own.row + row, own.col + col);
    }
}

// ---- the kernel ---------------------------------------------------------------------------------------------------

static __device__ __forceinline__ void put(const matrices &of, long row, long col, float sum)
{
    if (row >= of.m || col >= of.n)
        return;
    float *to = of.c + row * of.ldc + col;
    *to = of.alpha * sum + (of.beta == 0 ? 0 : of.beta * *to);
}

#define SHARE (TILE_M / CLUSTER) // rows of the tile that one group of a cluster adds up
#define AHEAD (SHARE * TILE_N / ITEMS < 4 ? SHARE * TILE_N / ITEMS : 4)

// Adds up what the cluster's groups left in shared memory: this group for its share of the rows. To C, or to `left`.
static __device__ __forceinline__ void add_cluster(const matrices &of, const piece &own, const float *tile, int rank,
                                                   float *left)
{
    for (int i = threadIdx.x; i < SHARE * TILE_N; i += ITEMS * AHEAD) {
        float sum[AHEAD] = {};
#pragma unroll
        for (int ahead = 0; ahead < AHEAD; ahead++) {
            const int at = i + ahead * ITEMS;
            const float *from = tile + (rank * SHARE + at / TILE_N) * PITCH + at % TILE_N;
            sum[ahead] = CLUSTER == 1 ? *from : read_neighbour(from, 0);
#pragma unroll
            for (int other = 1; other < CLUSTER; other++)
                sum[ahead] += read_neighbour(from, other);
        }
#pragma unroll
        for (int ahead = 0; ahead < AHEAD; ahead++) {
            const int at = i + ahead * ITEMS;
            if (left)
                __stcg(left + at, sum[ahead]);
            else
                put(of, own.row + rank * SHARE + at / TILE_N, own.col + at % TILE_N, sum[ahead]);
        }
    }
}

// `work`: flags, spans + 1 for each of a tile's CLUSTER shares of rows; from byte `sums_at` on, these shares' sums.
extern "C" __global__ void __launch_bounds__(ITEMS, GROUPS_EACH)
#if CLUSTER > 1
    __cluster_dims__(CLUSTER, 1, 1)
#endif
        matmul(const float *a, const float *b, float *c, char *work, long sums_at, long epoch, long m, long n, long k,
               float alpha, float beta, long lda, long ldb, long ldc, long spans, long slice)
{
    extern __shared__ __align__(128) char shared[];
    __shared__ uint counts[2], largest_bits;
    const matrices of = {a, b, c, m, n, k, lda, ldb, ldc, alpha, beta};
    const int tiles_m = (m + TILE_M - 1) / TILE_M, tiles_n = (n + TILE_N - 1) / TILE_N, tiles = tiles_m * tiles_n;
    const int rank = blockIdx.x % CLUSTER, tile = blockIdx.x / CLUSTER % tiles, span = blockIdx.x / CLUSTER / tiles;
    const int above = tile / (GROUPED * tiles_n) * GROUPED, inside = tile % (GROUPED * tiles_n);
    const int height = min(GROUPED, tiles_m - above);
    const long from = min(k, (span * CLUSTER + rank) * slice);
    const piece own = {(long)(above + inside % height) * TILE_M, (long)(inside / height) * TILE_N, from,
                       min(k, from + slice)};
    if (threadIdx.x == 0)
        counts[0] = counts[1] = largest_bits = 0;
    sums sum = {};
    float largest = 0;
    uint count[2] = {0, 0};
    add_slice<false>(sum, of, own, shared, largest, count);
    const uint bits = __reduce_max_sync(~0u, __float_as_uint(largest));
    count[0] = __reduce_add_sync(~0u, count[0]), count[1] = __reduce_add_sync(~0u, count[1]);
    if (threadIdx.x % 32 == 0) {
        atomicMax(&largest_bits, bits);
        atomicAdd(&counts[0], count[0]), atomicAdd(&counts[1], count[1]);
    }
    __syncthreads();
    const float depth = min(own.to - own.from, (long)DEPTH);
    if (counts[0] / (float)(TILE_M * WARPS_N) + counts[1] / (float)(TILE_N * WARPS_M) - depth <= EXACT_PAIRS)
        add_slice<true>(sum, of, own, shared, largest, count);
    const float most = __uint_as_float(largest_bits);
    float *results = (float *)shared;
    leave_tile(sum, of, own, results, most == 0 ? 0 : fmaxf(most * (own.to - own.from) * 0x1p-112f, 0x1p-100f));
    wait_for_cluster();
    if (spans == 1) {
        add_cluster(of, own, results, rank, 0);
        wait_for_cluster(); // others read this group's shared memory
        return;
    }
    const long place = (long)tile * CLUSTER + rank;
    float *left = (float *)(work + sums_at) + place * spans * (SHARE * TILE_N);
    add_cluster(of, own, results, rank, left + span * (SHARE * TILE_N));
    wait_for_cluster();
    if (!all_have_come((ulong *)work + place * (spans + 1), span, spans, epoch, beta != 0))
        return;
#pragma unroll 2
    for (int i = threadIdx.x; i < SHARE * TILE_N; i += ITEMS) {
        float total = 0;
#pragma unroll 8
        for (long other = 0; other < spans; other++)
            total += __ldcg(left + other * (SHARE * TILE_N) + i);
        put(of, own.row + rank * SHARE + i / TILE_N, own.col + i % TILE_N, total);
    }
}
