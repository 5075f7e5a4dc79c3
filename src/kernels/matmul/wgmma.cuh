// Products of elements of 16 bits on Hopper: the copy engine (TMA) brings tiles to shared memory, warpgroups multiply
// them there (wgmma). Files that include this define
//   TILE_N       columns of a tile: 64, 128, 192 or 256; it has 128 rows, 64 for each of two warpgroups
//   STAGES       of the depth in shared memory, 64 deep each
//   CLUSTER      groups that run together, each with its own rows; the columns of B come once for all of them (1 or 2)
//   PERSISTENT   a group goes on from tile to tile; else it has one
//   WHOLE_STORE  the copy engine also stores: rows of C begin at multiples of 16 bytes, and beta is 0

#include "kernels/matmul/hopper.cuh"

#include "kernels/matmul/half.cuh"

#include "kernels/matmul/align_rows.cuh"

#include "kernels/matmul/chunks.cuh"

#ifndef WHOLE_STORE
#define WHOLE_STORE 1
#endif
#define TILE_M 128
#define DEPTH 64
#define BOX (64 * ROW)         // of 64 rows
#define BYTES_A (TILE_M * ROW) // of a stage
#define BYTES_B (TILE_N * ROW)
#define STAGE (BYTES_A + BYTES_B)
#define WARPS 8           // that multiply
#define SUMS (TILE_N / 2) // of an item

struct __align__(64) tile_map
{
    char bits[128];
};

// ---- the copy engine ------------------------------------------------------------------------------------------------

// The box at column x and row y; to the same place in every group of `mask`, and each one's barrier.
static __device__ __forceinline__ void fetch_box(uint to, const tile_map *map, int x, int y, uint barrier, ushort mask)
{
    if (CLUSTER > 1 && mask)
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
                     "[%0], [%1, {%2, %3}], [%4], %5;" ::"r"(to),
                     "l"(map), "r"(x), "r"(y), "r"(barrier), "h"(mask)
                     : "memory");
    else
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
                     "[%0], [%1, {%2, %3}], [%4];" ::"r"(to),
                     "l"(map), "r"(x), "r"(y), "r"(barrier)
                     : "memory");
}

static __device__ __forceinline__ void store_box(const tile_map *map, int x, int y, uint from)
{
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];\n"
                 "cp.async.bulk.commit_group;" ::"l"(map),
                 "r"(x), "r"(y), "r"(from)
                 : "memory");
}

// One arrival at the barrier with this address in the cluster's group `rank`. The default scope is enough: wgmma has
// read what it read. A release to the cluster would wait for all of the item's memory accesses, each time.
static __device__ __forceinline__ void arrive_at(uint barrier, int rank)
{
    asm volatile("{.reg .b32 there; mapa.shared::cluster.u32 there, %0, %1;\n"
                 "mbarrier.arrive.shared::cluster.b64 _, [there];}" ::"r"(barrier),
                 "r"(rank)
                 : "memory");
}

static __device__ __forceinline__ void meet_cluster()
{
    if (CLUSTER > 1)
        asm volatile("barrier.cluster.arrive.release;\n"
                     "barrier.cluster.wait.acquire;" ::
                         : "memory");
    else
        __syncthreads();
}

// ---- wgmma ----------------------------------------------------------------------------------------------------------

// Boxes of 64 depths of each row of A (a column of B): depth is contiguous. Eight rows are 1024 bytes, 16 depths 32.
// Otherwise boxes of 64 rows (columns) at each depth: eight depths are 1024 bytes, the next 64 rows a box further.
static __device__ __forceinline__ ulong describe(uint address, bool along)
{
    const ulong swizzle_128 = 1ul << 62, eight = 1024 / 16, further = along ? 1 : BOX / 16;
    return swizzle_128 | eight << 32 | further << 16 | (address & 0x3ffff) >> 4;
}
#define STEP(along) ((along) ? 32 : 2048) // bytes from 16 depths to the next

#if TRANSA
#define TURN_A "1"
#else
#define TURN_A "0"
#endif
#if TRANSB
#define TURN_B "0"
#else
#define TURN_B "1"
#endif

#define NAMES_32                                                             \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
    "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
// sum = A·B, added to sum when `add`: 64 × 16 times 16 × TILE_N.
static __device__ __forceinline__ void multiply(float (&sum)[SUMS], ulong a, ulong b, int add)
{
#if TILE_N == 256
    asm volatile("{.reg .pred add; setp.ne.b32 add, %130, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n256k16.f32." PTX_TYPE "." PTX_TYPE " {" NAMES_128
                 "}, %128, %129, add, 1, 1, " TURN_A ", " TURN_B ";}"
                 : SIXTY_FOUR(sum), SIXTEEN(sum, 64), SIXTEEN(sum, 80), SIXTEEN(sum, 96), SIXTEEN(sum, 112)
                 : "l"(a), "l"(b), "r"(add));
#elif TILE_N == 192
    asm volatile("{.reg .pred add; setp.ne.b32 add, %98, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n192k16.f32." PTX_TYPE "." PTX_TYPE " {" NAMES_96
                 "}, %96, %97, add, 1, 1, " TURN_A ", " TURN_B ";}"
                 : SIXTY_FOUR(sum), SIXTEEN(sum, 64), SIXTEEN(sum, 80)
                 : "l"(a), "l"(b), "r"(add));
#elif TILE_N == 128
    asm volatile("{.reg .pred add; setp.ne.b32 add, %66, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32." PTX_TYPE "." PTX_TYPE " {" NAMES_64
                 "}, %64, %65, add, 1, 1, " TURN_A ", " TURN_B ";}"
                 : SIXTY_FOUR(sum)
                 : "l"(a), "l"(b), "r"(add));
#else
    asm volatile("{.reg .pred add; setp.ne.b32 add, %34, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n64k16.f32." PTX_TYPE "." PTX_TYPE " {" NAMES_32
                 "}, %32, %33, add, 1, 1, " TURN_A ", " TURN_B ";}"
                 : SIXTEEN(sum, 0), SIXTEEN(sum, 16)
                 : "l"(a), "l"(b), "r"(add));
#endif
}

// ---- the order of tiles ---------------------------------------------------------------------------------------------

// The tiles of a group: CLUSTER groups take tiles of neighbouring rows.
struct walk {
    int tiles_m, tiles_n, next, step; // of clusters
};

static __device__ __forceinline__ walk walk_of(long m, long n)
{
    const int tiles_m = (m + TILE_M * CLUSTER - 1) / (TILE_M * CLUSTER), tiles_n = (n + TILE_N - 1) / TILE_N;
    return {tiles_m, tiles_n, (int)(blockIdx.x / CLUSTER), (int)(PERSISTENT ? gridDim.x / CLUSTER : tiles_m * tiles_n)};
}

static __device__ __forceinline__ bool next_tile(walk &walk, int rank, int &row, int &col)
{
    if (walk.next >= walk.tiles_m * walk.tiles_n)
        return false;
    const place at = place_of(walk.next, walk.tiles_m, walk.tiles_n);
    row = (at.row * CLUSTER + rank) * TILE_M;
    col = at.col * TILE_N;
    walk.next += walk.step;
    return true;
}

// ---- one role: fetching ---------------------------------------------------------------------------------------------

struct ring {
    uint start, full, empty; // addresses of the stages and of the barriers
};

// Where the engine finds A and B.
struct source {
    const tile_map *a, *b;
};

// 128 rows of A at depth k.
static __device__ __forceinline__ void fetch_rows(const source &of, uint to, uint full, int row, int k)
{
    if (TRANSA) {
        fetch_box(to, of.a, row, k, full, 0);
        fetch_box(to + BOX, of.a, row + 64, k, full, 0);
    } else {
        fetch_box(to, of.a, k, row, full, 0);
    }
}

// The group's share of the columns of B goes to all groups of the cluster.
static __device__ __forceinline__ void fetch_stage(const source &of, uint to, uint full, int row, int col, int k,
                                                   int rank)
{
    barrier_expect(full, STAGE);
    fetch_rows(of, to, full, row, k);
    const int share = TILE_N / CLUSTER;
    to += BYTES_A + rank * share * ROW;
    col += rank * share;
    if (TRANSB) {
        fetch_box(to, of.b, k, col, full, (1 << CLUSTER) - 1);
    } else {
#pragma unroll
        for (int i = 0; i < share; i += 64)
            fetch_box(to + i * ROW, of.b, col + i, k, full, (1 << CLUSTER) - 1);
    }
}

static __device__ __forceinline__ void fetch_tiles(const source &of, const ring &ring, walk walk, int stages, int rank)
{
    int row, col, slot = 0, turn = 0;
    while (next_tile(walk, rank, row, col))
        for (int stage = 0; stage < stages; stage++) {
            barrier_wait(ring.empty + slot * 8, turn ^ 1);
            fetch_stage(of, ring.start + slot * STAGE, ring.full + slot * 8, row, col, stage * DEPTH, rank);
            slot = slot + 1 == STAGES ? 0 : slot + 1;
            turn ^= slot == 0;
        }
}

// ---- the other: multiplying -----------------------------------------------------------------------------------------

// One item tells each group of the cluster that this warpgroup has read the stage.
static __device__ __forceinline__ void leave_stage(uint empty)
{
    if (CLUSTER == 1) {
        if (threadIdx.x % 128 == 0)
            barrier_arrive(empty);
    } else if (threadIdx.x % 128 < CLUSTER) {
        arrive_at(empty, threadIdx.x % 128);
    }
}

// While one stage is multiplied the next is issued: a stage is left when the one behind it has begun.
static __device__ __forceinline__ void add_stages(float (&sum)[SUMS], const ring &ring, int stages, int warpgroup,
                                                  int &slot, int &turn)
{
    int before = 0;
    for (int stage = 0; stage < stages; stage++) {
        const uint from = ring.start + slot * STAGE, part = warpgroup * BOX;
        barrier_wait(ring.full + slot * 8, turn);
        const ulong a = describe(from + part, !TRANSA), b = describe(from + BYTES_A, TRANSB);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int step = 0; step < DEPTH / 16; step++)
            multiply(sum, a + step * (STEP(!TRANSA) / 16), b + step * (STEP(TRANSB) / 16), stage + step > 0);
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        if (stage > 0) {
            asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
            leave_stage(ring.empty + before * 8);
        }
        before = slot;
        slot = slot + 1 == STAGES ? 0 : slot + 1;
        turn ^= slot == 0;
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    if (stages > 0)
        leave_stage(ring.empty + before * 8);
}

// ---- results --------------------------------------------------------------------------------------------------------

// A warp's 16 rows of CHUNK columns from its registers to shared memory, swizzled as the copy engine has it. Of each
// eight columns an item has two, of rows lane / 4 and 8 more.
static __device__ __forceinline__ void stage_chunk(const float *sum, uint to, float alpha)
{
    const int lane = threadIdx.x % 32;
#if RESULT
    const int row = lane / 4, pair = lane % 4;
#pragma unroll
    for (int i = 0; i < 4; i++) { // eight columns: two pieces of 16 bytes
        const uint piece = (uint)(2 * i + pair / 2) ^ row;
        const uint at = to + row * ROW + piece * 16 + pair % 2 * 8;
        asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(at), "f"(alpha * sum[4 * i]), "f"(alpha * sum[4 * i + 1])
                     : "memory");
        asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(at + 8 * ROW), "f"(alpha * sum[4 * i + 2]),
                     "f"(alpha * sum[4 * i + 3])
                     : "memory");
    }
#else
    const int row = lane % 16;
#pragma unroll
    for (int i = 0; i < 4; i++) { // 16 columns: four matrices of 8 × 8
        const float *of = sum + 8 * i;
        const uint piece = (uint)(2 * i + lane / 16) ^ row % 8;
        asm volatile(
            "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(to + row * ROW + piece * 16),
            "r"(pack(alpha * of[0], alpha * of[1])), "r"(pack(alpha * of[2], alpha * of[3])),
            "r"(pack(alpha * of[4], alpha * of[5])), "r"(pack(alpha * of[6], alpha * of[7]))
            : "memory");
    }
#endif
}

// With beta and results of 16 bits the sum is rounded once, so it does not go through shared memory.
static __device__ __forceinline__ void add_results(const float *sum, const matrices &of, long row, long col)
{
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int i = 0; i < TILE_N / 8; i++)
#pragma unroll
        for (int j = 0; j < 4; j += 2)
            put_pair(of, row + lane / 4 + j / 2 * 8, col + i * 8 + lane % 4 * 2, sum[4 * i + j], sum[4 * i + j + 1]);
}

static __device__ __forceinline__ void store_tile(const float *sum, const matrices &of, const tile_map *c, char *staged,
                                                  uint address, int row, int col)
{
    if (!RESULT && !WHOLE_STORE && of.beta != 0) {
        add_results(sum, of, row, col);
        return;
    }
    const int chunks = TILE_N / CHUNK, count = min((long)TILE_N, of.n - col);
#pragma unroll
    for (int chunk = 0; chunk < chunks; chunk++) {
        const int half = chunk % 2 * STORE;
        if (WHOLE_STORE)
            asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(TILE_N > CHUNK) : "memory"); // the place is read
        __syncwarp();
        stage_chunk(sum + chunk * (CHUNK / 2), address + half, of.alpha);
        if (WHOLE_STORE)
            asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncwarp();
        if (!WHOLE_STORE)
            store_line(of, row, col, count, chunk, staged + (chunk > 0 ? STORE - half : 0), staged + half);
        else if (threadIdx.x % 32 == 0)
            store_box(c, col + chunk * CHUNK, row, address + half);
    }
    if (!WHOLE_STORE) {
        store_line(of, row, col, count, chunks, staged + (chunks - 1) % 2 * STORE, staged + (chunks - 1) % 2 * STORE);
        __syncwarp(); // wgmma comes next
    }
}

// ---- the kernel -----------------------------------------------------------------------------------------------------

extern "C" __global__ void __launch_bounds__(384, 1)
#if CLUSTER > 1
    __cluster_dims__(CLUSTER, 1, 1)
#endif
        matmul(const __grid_constant__ tile_map map_a, const __grid_constant__ tile_map map_b,
               const __grid_constant__ tile_map map_c, outcome *c, long m, long n, long k, float alpha, float beta,
               long ldc)
{
    extern __shared__ char unaligned[];
    char *shared = (char *)(((ulong)unaligned + 1023) & ~1023ul);
    const uint start = __cvta_generic_to_shared(shared), full = start + STAGES * STAGE + 2 * WARPS * STORE;
    const ring ring = {start, full, full + STAGES * 8};
    const int rank = CLUSTER > 1 ? blockIdx.x % CLUSTER : 0, stages = (k + DEPTH - 1) / DEPTH;
    walk walk = walk_of(m, n);
    if (threadIdx.x == 0) {
        for (int slot = 0; slot < STAGES; slot++) {
            barrier_create(ring.full + slot * 8, 1);            // the fetching item, and the bytes
            barrier_create(ring.empty + slot * 8, 2 * CLUSTER); // the warpgroups of all groups that its fetches reach
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    meet_cluster();
    if (threadIdx.x >= 256) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        const source of = {&map_a, &map_b};
        if (threadIdx.x == 256)
            fetch_tiles(of, ring, walk, stages, rank);
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        const matrices of = {0, 0, c, m, n, k, alpha, beta, 0, 0, ldc};
        const int warp = threadIdx.x / 32, own = STAGES * STAGE + warp * 2 * STORE;
        int row, col, slot = 0, turn = 0;
        while (next_tile(walk, rank, row, col)) {
            float sum[SUMS];
            if (stages == 0)
#pragma unroll
                for (int i = 0; i < SUMS; i++)
                    sum[i] = 0;
            add_stages(sum, ring, stages, warp / 4, slot, turn);
            store_tile(sum, of, &map_c, shared + own, start + own, row + warp * 16, col);
        }
        if (WHOLE_STORE)
            asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
    meet_cluster(); // other groups write to this group's barriers and stages
}
