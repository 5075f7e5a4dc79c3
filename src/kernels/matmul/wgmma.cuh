// Products of elements of 16 bits on Hopper: the copy engine (TMA) brings tiles to shared memory, warpgroups multiply
// them there (wgmma). Files that include this define
//   TILE_M       rows of a tile: 128 or 192, 64 for each warpgroup
//   TILE_N       columns of a tile: 64, 128, 192 or 256
//   STAGES       of the depth in shared memory, 64 deep each
//   CLUSTER      groups that run together: 1, 2 (neighbouring rows of tiles) or 4 (neighbouring columns, too); what
//                several of them need comes once for all
//   PERSISTENT   a group goes on from tile to tile; else it has one
//   WHOLE_STORE  the copy engine also stores: rows of C begin at multiples of 16 bytes, and beta is 0

#include "kernels/matmul/hopper.cuh"

#include "kernels/matmul/half.cuh"

#include "kernels/matmul/align_rows.cuh"

#include "kernels/matmul/chunks.cuh"

#ifndef WHOLE_STORE
#define WHOLE_STORE 1
#endif
#define WARPGROUPS (TILE_M / 64)   // that multiply
#define DOWN (CLUSTER > 1 ? 2 : 1) // groups of a cluster
#define ACROSS (CLUSTER / DOWN)
#define DEPTH 64
#define BOX (64 * ROW)         // of 64 rows
#define BYTES_A (TILE_M * ROW) // of a stage
#define BYTES_B (TILE_N * ROW)
#define STAGE (BYTES_A + BYTES_B)
#define SUMS (TILE_N / 2) // of an item
#define HELD 2            // stages of a tile's end, through whose places results go
#define AHEAD 2           // stages that a warp fetches before it multiplies
#define HAS_ROLES (WARPGROUPS == 2)

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

// The tiles of a group, counted in clusters.
struct walk {
    int tiles_m, tiles_n, next, step;
};

static __device__ __forceinline__ walk walk_of(long m, long n)
{
    const int high = TILE_M * DOWN, wide = TILE_N * ACROSS, tiles_m = (m + high - 1) / high,
              tiles_n = (n + wide - 1) / wide;
    return {tiles_m, tiles_n, (int)(blockIdx.x / CLUSTER), (int)(PERSISTENT ? gridDim.x / CLUSTER : tiles_m * tiles_n)};
}

static __device__ __forceinline__ bool next_tile(walk &walk, int rank, int &row, int &col)
{
    if (walk.next >= walk.tiles_m * walk.tiles_n)
        return false;
    const place at = place_of(walk.next, walk.tiles_m, walk.tiles_n);
    row = (at.row * DOWN + rank % DOWN) * TILE_M;
    col = (at.col * ACROSS + rank / DOWN) * TILE_N;
    walk.next += walk.step;
    return true;
}

// ---- fetching -------------------------------------------------------------------------------------------------------

struct ring {
    uint start, full, empty; // addresses of the stages and of the barriers
};

// Where the engine finds A and B; how far each group is (NULL: nobody asks), counted from this launch's number.
struct source {
    const tile_map *a, *b;
    volatile ulong *progress;
    ulong epoch;
};

// This group's share of the lines of a stage, to all groups of `mask`: part of the lines where depth is contiguous,
// else part of the depth.
static __device__ __forceinline__ void fetch_lines(const tile_map *map, bool along, uint to, uint full, int line,
                                                   int lines, int k, int share, int shares, ushort mask)
{
    const int part = (along ? lines : DEPTH) / shares, at = share * part;
    if (along)
        fetch_box(to + at * ROW, map, k, line + at, full, mask);
    else
#pragma unroll
        for (int i = 0; i < lines; i += 64)
            fetch_box(to + i * ROW + at * ROW, map, line + i, k + at, full, mask);
}

static __device__ __forceinline__ void fetch_stage(const source &of, uint to, uint full, int row, int col, int k,
                                                   int rank)
{
    const int down = rank % DOWN, across = rank / DOWN, same_row = ACROSS > 1 ? 1 << down | 1 << (down + DOWN) : 0,
              same_col = DOWN > 1 ? 3 << across * DOWN : 0;
    // begin share
    barrier_expect(full, STAGE);
    fetch_lines(of.a, !TRANSA, to, full, row, TILE_M, k, across, ACROSS, same_row);
    fetch_lines(of.b, TRANSB, to + BYTES_A, full, col, TILE_N, k, down, DOWN, same_col);
    // end share
}

// Where fetching is: a tile's stage, and its place.
struct fetcher {
    walk walk;
    int row, col, tiles, stage, slot, turn;
    bool is_left, is_paced;
};

#define LATE 8         // a group is on time that has fetched all but an eighth of its tile
#define PATIENCE 65536 // clocks

// Groups that begin their next tile early find nothing in the second-level cache, and take what others still need out
// of it. So they wait until all are near their tile's end; not for long, as nobody promises that all run at once.
static __device__ __forceinline__ bool wait_for_groups(const source &of, int tiles)
{
    const long begin = clock64();
    bool are_here = false;
    while (!are_here && clock64() - begin < PATIENCE) {
        are_here = true;
        for (int i = threadIdx.x % 32; i < gridDim.x; i += 32)
            are_here &= of.progress[i] - of.epoch - tiles < 1ul << 20;
        are_here = __all_sync(~0u, are_here);
    }
    return are_here;
}

// One warp's.
static __device__ __forceinline__ void fetch_next(fetcher &next, const source &of, const ring &ring, int stages,
                                                  int rank)
{
    if (!next.is_left)
        return;
    if (next.is_paced && next.stage == 0 && next.tiles > 0)
        next.is_paced = wait_for_groups(of, next.tiles);
    if (threadIdx.x % 32 == 0) {
        barrier_wait(ring.empty + next.slot * 8, next.turn ^ 1);
        fetch_stage(of, ring.start + next.slot * STAGE, ring.full + next.slot * 8, next.row, next.col,
                    next.stage * DEPTH, rank);
        if (of.progress && next.stage == stages - 1 - stages / LATE)
            of.progress[blockIdx.x] = of.epoch + next.tiles + 1;
    }
    __syncwarp();
    next.slot = next.slot + 1 == STAGES ? 0 : next.slot + 1;
    next.turn ^= next.slot == 0;
    if (++next.stage == stages) {
        next.stage = 0;
        next.tiles++;
        next.is_left = next_tile(next.walk, rank, next.row, next.col);
    }
}

// ---- multiplying ----------------------------------------------------------------------------------------------------

#define PEERS (DOWN + ACROSS - 1) // groups that a stage's parts come from, this one among them

// One item tells each of them that this warpgroup has read the stage.
static __device__ __forceinline__ void leave_stage(uint empty, int rank)
{
    const int item = threadIdx.x % 128;
    if (CLUSTER == 1) {
        if (item == 0)
            barrier_arrive(empty);
    } else if (item < PEERS) {
        arrive_at(empty, item < DOWN ? rank / DOWN * DOWN + item : (rank + DOWN) % CLUSTER);
    }
}

static __device__ __forceinline__ int before_of(int slot)
{
    return slot == 0 ? STAGES - 1 : slot - 1;
}

// While one stage is multiplied the next is issued: a stage is left when the one behind it has begun, but for the
// tile's last ones.
static __device__ __forceinline__ void add_stages(float (&sum)[SUMS], const ring &ring, int stages, int warpgroup,
                                                  int &slot, int &turn, int rank, fetcher &next, const source &of)
{
    for (int stage = 0; stage < stages; stage++) {
        const uint from = ring.start + slot * STAGE, part = warpgroup * BOX;
        barrier_wait(ring.full + slot * 8, turn);
        const ulong a = describe(from + part, !TRANSA), b = describe(from + BYTES_A, TRANSB);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        // begin multiply
        for (int step = 0; step < DEPTH / 16; step++)
            multiply(sum, a + step * (STEP(!TRANSA) / 16), b + step * (STEP(TRANSB) / 16), stage + step > 0);
        // end multiply
        asm volatile("wgmma.commit_group.sync.aligned;\n"
                     "wgmma.wait_group.sync.aligned 1;" ::
                         : "memory");
        if (stage > 0 && stage + HELD <= stages)
            leave_stage(ring.empty + before_of(slot) * 8, rank);
        if (!HAS_ROLES && threadIdx.x < 32)
            fetch_next(next, of, ring, stages, rank);
        slot = slot + 1 == STAGES ? 0 : slot + 1;
        turn ^= slot == 0;
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
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

static __device__ __forceinline__ void meet_warpgroup(int warpgroup)
{
    asm volatile("bar.sync %0, 128;" ::"r"(warpgroup + 1) : "memory");
}

// Results go through the rows of A that this warp alone has read, of the last two stages in turn.
static __device__ __forceinline__ void store_tile(const float *sum, const matrices &of, const tile_map *c,
                                                  char *const (&staged)[HELD], int row, int col)
{
    if (!RESULT && !WHOLE_STORE && of.beta != 0) {
        add_results(sum, of, row, col);
        return;
    }
    const int chunks = TILE_N / CHUNK, count = min((long)TILE_N, of.n - col);
#pragma unroll
    for (int chunk = 0; chunk < chunks; chunk++) {
        char *here = staged[chunk % 2];
        const uint address = __cvta_generic_to_shared(here);
        if (WHOLE_STORE)
            asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory"); // the place is read
        __syncwarp();
        stage_chunk(sum + chunk * (CHUNK / 2), address, of.alpha);
        if (WHOLE_STORE)
            asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncwarp();
        if (!WHOLE_STORE)
            store_line(of, row, col, count, chunk, chunk > 0 ? staged[(chunk + 1) % 2] : here, here);
        else if (threadIdx.x % 32 == 0)
            store_box(c, col + chunk * CHUNK, row, address);
    }
    if (WHOLE_STORE)
        asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    else
        store_line(of, row, col, count, chunks, staged[(chunks - 1) % 2], staged[(chunks - 1) % 2]);
}

// ---- the kernel -----------------------------------------------------------------------------------------------------

// A tile's sums, and their way to C; then the places of its last stages are free.
static __device__ __forceinline__ void compute_tile(const ring &ring, const matrices &of, const tile_map *c,
                                                    char *shared, int stages, int rank, int row, int col, int &slot,
                                                    int &turn, fetcher &next, const source &from)
{
    const int warp = threadIdx.x / 32, warpgroup = __shfl_sync(~0u, warp / 4, 0);
    float sum[SUMS];
    if (stages == 0)
#pragma unroll
        for (int i = 0; i < SUMS; i++)
            sum[i] = 0;
    add_stages(sum, ring, stages, warpgroup, slot, turn, rank, next, from);
    const int last = before_of(slot), other = before_of(last);
    meet_warpgroup(warpgroup);
    char *const staged[HELD] = {shared + last * STAGE + warp * STORE, shared + other * STAGE + warp * STORE};
    store_tile(sum, of, c, staged, row + warp * 16, col);
    if (!WHOLE_STORE)
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); // stages come there next
    meet_warpgroup(warpgroup);
    if (stages > 0) {
        leave_stage(ring.empty + other * 8, rank);
        leave_stage(ring.empty + last * 8, rank);
    }
    __syncwarp(); // wgmma comes next
}

extern "C" __global__ void __launch_bounds__((WARPGROUPS + HAS_ROLES) * 128, 1)
#if CLUSTER > 1
    __cluster_dims__(CLUSTER, 1, 1)
#endif
        matmul(const __grid_constant__ tile_map map_a, const __grid_constant__ tile_map map_b,
               const __grid_constant__ tile_map map_c, outcome *c, long m, long n, long k, float alpha, float beta,
               long ldc, ulong *progress, ulong epoch)
{
    extern __shared__ char unaligned[];
    char *shared = (char *)(((ulong)unaligned + 1023) & ~1023ul);
    const uint start = __cvta_generic_to_shared(shared), full = start + STAGES * STAGE;
    const ring ring = {start, full, full + STAGES * 8};
    const int rank = CLUSTER > 1 ? blockIdx.x % CLUSTER : 0;
    const int stages = k == 0 ? 0 : max(HELD, (int)((k + DEPTH - 1) / DEPTH)); // a stage beyond the depth is zeros
    const source from = {&map_a, &map_b, progress, epoch << 20};
    walk walk = walk_of(m, n);
    fetcher next = {walk, 0, 0, 0, 0, 0, 0, false, progress != 0};
    if (threadIdx.x == 0) {
        for (int slot = 0; slot < STAGES; slot++) {
            barrier_create(ring.full + slot * 8, 1);                   // the fetching item, and the bytes
            barrier_create(ring.empty + slot * 8, WARPGROUPS * PEERS); // all that read what this group fetches
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    meet_cluster();
    if (threadIdx.x / 32 == (HAS_ROLES ? WARPGROUPS * 4 : 0) && stages > 0)
        next.is_left = next_tile(next.walk, rank, next.row, next.col);
    if (threadIdx.x >= WARPGROUPS * 128) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 56;");
        while (next.is_left)
            fetch_next(next, from, ring, stages, rank);
    } else {
        if (HAS_ROLES)
            asm volatile("setmaxnreg.inc.sync.aligned.u32 224;");
        else
            for (int i = 0; i < AHEAD; i++)
                fetch_next(next, from, ring, stages, rank);
        __syncwarp();
        const matrices of = {0, 0, c, m, n, k, alpha, beta, 0, 0, ldc};
        int row, col, slot = 0, turn = 0;
        while (next_tile(walk, rank, row, col))
            compute_tile(ring, of, &map_c, shared, stages, rank, row, col, slot, turn, next, from);
        if (WHOLE_STORE)
            asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
    meet_cluster(); // other groups write to this group's barriers and stages
}
