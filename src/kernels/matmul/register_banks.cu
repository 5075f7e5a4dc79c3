// rung:    register-banks
// idea:    sums in the register bank opposite their factors, and a loop of multiply-adds and reads of shared memory only
// tune:    GROUPED = 8 in 4 8 16
// group:   256
// groups:  ceil(m / 128) * ceil(n / 128)
// local:   107200
// require: element_bytes == 4, works on float only
// require: compute == 9, needs setmaxnreg and bulk copies of compute capability 9.0 (Hopper)

// A multiply-add reads three registers. The register file has two banks, even and odd; each gives one register in a
// cycle. A factor that the previous instruction read in the same position comes from the reuse cache. One multiply-add
// per cycle therefore needs a factor in common with the previous one, and its sum and other factor in opposite banks.
//
// - An item has 8 x 16 sums: 24 factors are loaded for 128 multiply-adds.
// - Sums and factors of B are in opposite banks (store_tile), and consecutive multiply-adds share a factor (multiply).
// - The loop has multiply-adds and reads of shared memory only. op(A) and op(B) are packed into panels, in the order of
//   use, and one thread fetches these by bulk copies. The first stages are packed before the product, the others by the
//   group's other warps during the product. The loop is two steps deep: a longer one does not fit the instruction
//   cache, and the compiler moves sums to other registers in it.
// - Two persistent groups on each multiprocessor share the last tiles along the depth.

#include "kernels/matmul/hopper.cuh"
#include "kernels/matmul/panels.cuh"
#include "kernels/matmul/shares.cuh"

#define STAGE (2 * PANEL)
#define STAGES 3
#define ROWS 8 // of sums of an item, and columns
#define COLS 16
#define WARPS 4  // that multiply, 64 x 64 each
#define PITCH 68 // floats from row to row of results in shared memory

// ---- fetching -----------------------------------------------------------------------------------------------------

struct job {
    char *work;
    float *sums;
    int rows, cols;             // of tiles
    int inner_rows, inner_cols; // without a last row of tiles of at most 32 results, and a last column of at most 16
};

// Groups share the inner tiles, then those at the edges. Edge tiles take a fraction of the time: if they were counted
// with the others, some groups would have no work.
#define REGIONS 2

static __device__ int tiles_in(const job &job, int region)
{
    const int inner = job.inner_rows * job.inner_cols;
    return region == 0 ? inner : job.rows * job.cols - inner;
}

static __device__ __forceinline__ place tile_place(const job &job, int region, int tile)
{
    if (region == 0)
        return place_of(tile, job.inner_rows, job.inner_cols, GROUPED);
    const int right = job.inner_cols < job.cols ? job.rows : 0;
    return tile < right ? place{tile, job.cols - 1} : place{job.rows - 1, tile - right};
}

struct ring {
    uint start, full, empty; // addresses of the stages and of the barriers
};

// The first tile that a group fetches may be only partly packed, so the group waits for each stage; later tiles are
// complete.
static __device__ void fetch_tiles(const job &job, const volatile share *own, const ring &ring, int packed)
{
    item it;
    uint slot = 0, parity = 1;
    const char *panels = job.work + 4 * words_of(own->stages);
    for (int region = 0, i = 0; region < REGIONS; i++) {
        if (!take(own + region, i, it)) {
            region++, i = -1;
            continue;
        }
        const place at = tile_place(job, region, it.tile);
        const char *a = panels + ((long)at.row * own->stages + it.first) * PANEL;
        const char *b = panels + ((long)(job.rows + at.col) * own->stages + it.first) * PANEL;
        for (int stage = it.first; stage < it.last; stage++) {
            const uint to = ring.start + slot * STAGE, barrier = ring.full + slot * 8;
            if (stage >= packed) {
                wait_for_panels(job.work, stage, job.rows + job.cols);
                packed = stage + 1;
            }
            barrier_wait(ring.empty + slot * 8, parity);
            barrier_expect(barrier, STAGE);
            copy_bulk(to, a, PANEL, barrier);
            copy_bulk(to + PANEL, b, PANEL, barrier);
            a += PANEL, b += PANEL;
            if (++slot == STAGES)
                slot = 0, parity ^= 1;
        }
    }
    barrier_wait(ring.empty + slot * 8, parity);
    barrier_arrive(ring.full + slot * 8); // the multiplying warps test the barrier one stage ahead
}

// ---- multiplying --------------------------------------------------------------------------------------------------

// Whether the barrier's phase is complete by now.
static __device__ __forceinline__ bool barrier_test(uint barrier, int parity)
{
    uint done;
    asm volatile("{.reg .pred done;\n"
                 "mbarrier.test_wait.parity.shared::cta.b64 done, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, done;}"
                 : "=r"(done)
                 : "r"(barrier), "r"(parity)
                 : "memory");
    return done;
}

// Position of a lane's sums in the 64 x 64 of its warp: rows 4·row + 32·i, columns 4·col + 16·j, four at a time. Lanes
// that differ in the lowest bit read the same elements of A; those that differ in the next bit, the same of B. Half a
// warp is thus served by one read.
struct lane_place {
    int row, col;
};

static __device__ __forceinline__ lane_place lane_place_of(int lane)
{
    return {(lane >> 1 & 1) | (lane >> 2 & 6), (lane & 1) | (lane >> 1 & 2)};
}

struct factors {
    float a[ROWS], b[COLS];
};

template <int R, int C>
static __device__ __forceinline__ void load(factors &f, const float *a, const float *b, int depth)
{
#pragma unroll
    for (int j = 0; j < C; j += 4) {
        const float4 v = *(const float4 *)(b + depth * LINES + 4 * j);
        f.b[j] = v.x, f.b[j + 1] = v.y, f.b[j + 2] = v.z, f.b[j + 3] = v.w;
    }
#pragma unroll
    for (int i = 0; i < R; i += 4) {
        const float4 v = *(const float4 *)(a + depth * LINES + 8 * i);
        f.a[i] = v.x, f.a[i + 1] = v.y, f.a[i + 2] = v.z, f.a[i + 3] = v.w;
    }
}

// The order alternates: each multiply-add has one factor in common with the previous one, which comes from the reuse
// cache.
template <int R, int C> static __device__ __forceinline__ void multiply(float (&sum)[ROWS][COLS], const factors &f)
{
#pragma unroll
    for (int i = 0; i < R; i++)
#pragma unroll
        for (int t = 0; t < C; t++) {
            const int j = i % 2 ? C - 1 - t : t;
            sum[i][j] += f.a[i] * f.b[j];
        }
}

// The sums of one item's stages, for R of the rows and C of the columns. slot and parity continue from item to item.
template <int R, int C>
static __device__ __forceinline__ void add_stages(float (&sum)[ROWS][COLS], const item &it, const float *start_a,
                                                  const float *start_b, const ring &ring, uint &slot, uint &parity)
{
    const bool first_lane = threadIdx.x % 32 == 0;
    const float *a = start_a + slot * (STAGE / 4), *b = start_b + slot * (STAGE / 4);
    factors even, odd;
    barrier_wait(ring.full + slot * 8, parity);
    load<R, C>(even, a, b, 0);
#pragma unroll 1
    for (int left = it.last - it.first; left > 0; left--) {
#pragma unroll 1
        for (int i = 0; i < DEPTH / 2 - 1; i++) {
            load<R, C>(odd, a, b, 1);
            multiply<R, C>(sum, even);
            load<R, C>(even, a, b, 2);
            multiply<R, C>(sum, odd);
            a += 2 * LINES, b += 2 * LINES;
        }
        load<R, C>(odd, a, b, 1);
        const uint used = ring.empty + slot * 8;
        if (++slot == STAGES)
            slot = 0, parity ^= 1;
        const bool is_full = barrier_test(ring.full + slot * 8, parity);
        multiply<R, C>(sum, even);
        a = start_a + slot * (STAGE / 4), b = start_b + slot * (STAGE / 4);
        if (!is_full)
            barrier_wait(ring.full + slot * 8, parity);
        load<R, C>(even, a, b, 0);
        multiply<R, C>(sum, odd);
        if (first_lane)
            barrier_arrive(used);
    }
}

// For a warp whose part of the tile is outside C.
static __device__ void skip_stages(const item &it, const ring &ring, uint &slot, uint &parity)
{
    for (int stage = it.first; stage < it.last; stage++) {
        barrier_wait(ring.full + slot * 8, parity);
        if (threadIdx.x % 32 == 0)
            barrier_arrive(ring.empty + slot * 8);
        if (++slot == STAGES)
            slot = 0, parity ^= 1;
    }
}

// ---- sums of tiles that groups share ------------------------------------------------------------------------------

// Stores the group's sums for the group that finishes the tile.
static __device__ __forceinline__ void leave_sums(const float (&sum)[ROWS][COLS], const job &job, int region)
{
    const int own = region * gridDim.x + blockIdx.x;
    float *to = job.sums + (long)own * (LINES * LINES) + threadIdx.x;
#pragma unroll
    for (int i = 0; i < ROWS * COLS; i++)
        to[i * 32 * WARPS] = sum[i / COLS][i % COLS];
    __threadfence();
    asm volatile("bar.sync 1, 128;" ::: "memory");
    if (threadIdx.x == 0)
        asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"((uint *)job.work + own) : "memory");
}

// Adds the sums of this tile that earlier groups stored.
static __device__ __forceinline__ void take_sums(float (&sum)[ROWS][COLS], const job &job, const volatile share *own,
                                                 int region, int tile)
{
    int groups = own->groups, base = own->whole * groups;
    long stages = own->stages, all = (own->tiles - base) * stages, begin = (tile - base) * stages;
    for (int other = ((begin + 1) * groups - 1) / all; other < blockIdx.x; other++) {
        if (all * other / groups == all * (other + 1) / groups)
            continue;
        const int there_at = region * groups + other;
        const uint *flag = (const uint *)job.work + there_at;
        const float *from = job.sums + (long)there_at * (LINES * LINES) + threadIdx.x;
        uint there = 0;
        while (!there)
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(there) : "l"(flag) : "memory");
#pragma unroll
        for (int i = 0; i < ROWS * COLS; i++)
            sum[i / COLS][i % COLS] += __ldcg(from + i * 32 * WARPS);
    }
}

// ---- results ------------------------------------------------------------------------------------------------------

struct results {
    float *c;
    long m, n, ldc;
    float alpha, beta;
};

// Stores rows row, row + 4, … of C from shared memory, in which adjacent columns are swapped (store_tile).
static __device__ __forceinline__ void store_rows(const results &to, const float *staged, long row, long col)
{
    const int lane = threadIdx.x % 32;
    if (to.n % 4 == 0 && to.ldc % 4 == 0 && (ulong)to.c % 16 == 0) {
#pragma unroll
        for (int r = lane / 16; r < 8; r += 2) {
            const float4 v = *(const float4 *)(staged + r * PITCH + lane % 16 * 4);
            const long at = row + 4 * r, left = col + lane % 16 * 4;
            if (at >= to.m || left >= to.n)
                continue;
            float4 *out = (float4 *)(to.c + at * to.ldc + left);
            float4 old = to.beta == 0 ? make_float4(0, 0, 0, 0) : *out;
            if (to.beta != 0)
                old = make_float4(to.beta * old.x, to.beta * old.y, to.beta * old.z, to.beta * old.w);
            *out = make_float4(to.alpha * v.y + old.x, to.alpha * v.x + old.y, to.alpha * v.w + old.z,
                               to.alpha * v.z + old.w);
        }
        return;
    }
    for (int i = 0; i < 16; i++) {
        const long at = row + 4 * (i / 2), left = col + i % 2 * 32 + lane;
        if (at >= to.m || left >= to.n)
            continue;
        float *out = to.c + at * to.ldc + left;
        *out = to.alpha * staged[i / 2 * PITCH + i % 2 * 32 + (lane ^ 1)] + (to.beta == 0 ? 0 : to.beta * *out);
    }
}

// Sums go to shared memory four at a time, with neighbours swapped. The compiler then allocates each sum of an even
// column to an odd register and the reverse. This is opposite to the factors of B, which are loaded four at a time. A
// multiply-add thus reads its sum from one bank and its new factor from the other.
static __device__ __forceinline__ void store_tile(const float (&sum)[ROWS][COLS], const results &to, float *staged,
                                                  long row, long col)
{
    const lane_place at = lane_place_of(threadIdx.x % 32);
    const uint address = __cvta_generic_to_shared(staged + at.row * PITCH + at.col * 4);
#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        __syncwarp();
#pragma unroll
        // begin exchange
        for (int j = 0; j < COLS; j += 4)
            asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(address + j * 16), "f"(sum[i][j + 1]),
                         "f"(sum[i][j]), "f"(sum[i][j + 3]), "f"(sum[i][j + 2])
                         : "memory");
        // end exchange
        __syncwarp();
        store_rows(to, staged, row + i / 4 * 32 + i % 4, col);
    }
}

// ---- the kernel ---------------------------------------------------------------------------------------------------

static __device__ __forceinline__ void multiply_tiles(const job &job, const volatile share *own, const ring &ring,
                                                      const results &to, float *shared)
{
    const int warp = threadIdx.x / 32;
    const lane_place at = lane_place_of(threadIdx.x % 32);
    const float *a = shared + warp % 2 * 64 + at.row * 4, *b = shared + PANEL / 4 + warp / 2 * 64 + at.col * 4;
    float *staged = shared + STAGES * STAGE / 4 + 16 + warp * 8 * PITCH;
    item it;
    uint slot = 0, parity = 0;
    for (int region = 0, i = 0; region < REGIONS; i++) {
        if (!take(own + region, i, it)) {
            region++, i = -1;
            continue;
        }
        const place tile = tile_place(job, region, it.tile);
        const long row = (long)tile.row * LINES + warp % 2 * 64, col = (long)tile.col * LINES + warp / 2 * 64;
        float sum[ROWS][COLS] = {};
        if (row >= to.m || col >= to.n)
            skip_stages(it, ring, slot, parity);
        else if (tile.col >= job.inner_cols)
            add_stages<ROWS, 4>(sum, it, a, b, ring, slot, parity);
        else if (tile.row >= job.inner_rows)
            add_stages<4, COLS>(sum, it, a, b, ring, slot, parity);
        else
            add_stages<ROWS, COLS>(sum, it, a, b, ring, slot, parity);
        if (it.last < own->stages) {
            leave_sums(sum, job, region);
            continue;
        }
        if (it.first > 0)
            take_sums(sum, job, own + region, region, it.tile);
        store_tile(sum, to, staged, row, col);
    }
}

extern "C" __global__ void __launch_bounds__(256, 2)
    matmul(const float *a, const float *b, float *c, char *work, long early, long sums, long m, long n, long k,
           float alpha, float beta, long lda, long ldb, long ldc)
{
    extern __shared__ __align__(128) float shared[];
    __shared__ share own[REGIONS];
    const uint start = __cvta_generic_to_shared(shared);
    const ring ring = {start, start + STAGES * STAGE, start + STAGES * STAGE + STAGES * 8};
    const int rows = tiles_of(m), cols = tiles_of(n);
    const bool low = rows > 1 && m - (rows - 1l) * LINES <= 32, narrow = cols > 1 && n - (cols - 1l) * LINES <= 16;
    const job job = {work, (float *)(work + sums), rows, cols, rows - low, cols - narrow};
    if (threadIdx.x == 0) {
        for (int region = 0; region < REGIONS; region++)
            own[region] = share_of(tiles_in(job, region), stages_of(k));
        for (int slot = 0; slot < STAGES; slot++) {
            barrier_create(ring.full + slot * 8, 1);      // the fetching thread, and the bytes
            barrier_create(ring.empty + slot * 8, WARPS); // the multiplying warps
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x >= 32 * WARPS) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x == 32 * WARPS)
            fetch_tiles(job, own, ring, early);
        else if (threadIdx.x >= 32 * (WARPS + 1))
            pack_the_rest(work, {a, m, k, lda}, {b, n, k, ldb}, early);
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 216;");
        multiply_tiles(job, own, ring, {c, m, n, ldc, alpha, beta}, shared);
    }
}
