// rung:    tensor-fp16x3
// idea:    three float16 products with float accuracy: scaled rows and columns, the small products in sums of their own
// tune:    GROUPED = 8 in 4 8 16
// group:   384
// groups:  ceil(m / 128) * ceil(n / 128)
// local:   218240
// require: element_bytes == 4, works on float only
// require: compute == 9.0, needs wgmma, which only GPUs of compute capability 9.0 have
// tensor:  3

// (high + low·2^-11)·(high' + low'·2^-11): the product of both low parts is below the precision of a float result, and
// three products remain. planes.cuh and planes_float16.cu make the parts; lines are scaled so that float16 has enough
// range.
//
// - high·high' is summed in the tensor core for 64 deep, and then added to registers by an ordinary, rounding addition.
//   (A tensor core truncates, always in the same direction.) high·low' + low·high' is 2^11 times smaller. It has a
//   separate accumulator and stays in the tensor core for the whole depth.
// - Both parts of B are adjacent in shared memory: one wgmma of 256 columns multiplies the high part of A by both. The
//   rounding additions overlap low·high'. A stage is released as soon as the next one's products are under way.
// - Groups are persistent. Each takes whole tiles, side by side with the others; the tiles of the last, incomplete
//   round are divided evenly along the depth. The group that finishes a tile adds the sums that others stored for it,
//   in a fixed order.
// - Results go through shared memory, and are stored by whole rows of 128 bytes. The loop over them is short. Unrolled
//   code for 64 results with all special cases exceeded the instruction cache, and took a fifth of the time.
//
// Inputs for which three products do not suffice are detected during splitting. Six products of bfloat16 then compute
// the result; the host half launches them behind this kernel, and otherwise they return at once. There are two such
// cases:
//
// - Numbers below 2^-27 of their line's largest lose bits: at most 2^-36 each, next to a factor below 2^15. If enough
//   numbers of all lines exceed 2^-14 of the largest, this is less than a float's own rounding errors.
// - Integers whose products are exact in float arithmetic must be exact here, too; two parts have 23 bits of 24.
//
// NaN and infinity in the inputs give NaN or infinity in the sums; such elements are computed again from the floats.

#include "kernels/matmul/hopper.cuh"
#define OFFSET 0
#include "kernels/matmul/results.cuh"
#include "kernels/matmul/shares.cuh"

#define LINES 128           // of a tile, in both directions
#define PLANE (LINES * 128) // bytes of one part, 64 deep
#define STAGE (4 * PLANE)   // low and high part of A, then of B
#define STAGES 3
#define STAGED (STAGES * STAGE + 128) // offset of the results' staging area
#define SUMS 64                       // results of one item
#define HEADER 1024                   // words of `work`, described in planes.cuh
#define WANTED 4                      // this word: six products are requested
#define FLAGS 16                      // from here on: the group's sums are stored
#define EXACT_SUM (1ul << 26)

// ---- products -----------------------------------------------------------------------------------------------------

// The matrix descriptor (PTX's term) of a part: K-major, 128-byte swizzle, 8 lines are 1024 bytes.
static __device__ ulong describe(uint address)
{
    return (address & 0x3ffff) >> 4 | 1ul << 16 | 64ul << 32 | 1ul << 62;
}

static __device__ __forceinline__ void multiply(float (&sum)[SUMS], ulong a, ulong b, int add)
{
    asm volatile("{.reg .pred add; setp.ne.b32 add, %66, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {" NAMES_64 "}, %64, %65, add, 1, 1, 0, 0;}"
                 : SIXTY_FOUR(sum)
                 : "l"(a), "l"(b), "r"(add));
}

// Multiplies A by the low and the high part of B, which are adjacent.
static __device__ __forceinline__ void multiply_both(float (&high)[SUMS], float (&cross)[SUMS], ulong a, ulong b)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {" NAMES_128 "}, %128, %129, 1, 1, 1, 0, 0;"
                 : SIXTY_FOUR(cross), SIXTY_FOUR(high)
                 : "l"(a), "l"(b));
}

// ---- what is left to six products ---------------------------------------------------------------------------------

// Facts about a line of integers: 1 if it may have exact products, 2 if two parts cannot represent it, 4 if one part
// cannot.
static __device__ uint integer_line(uint bits, ulong sum)
{
    if (bits >> 31 || sum >> (__ffs(bits & 0xffffff | 1 << 24) - 1) > EXACT_SUM)
        return 0;
    return 1 | (bits >> 30 & 1) << 1 | (bits >> 29 & 1) << 2;
}

// Whether too many numbers lose bits.
static __device__ bool is_wide(const uint *work, long k)
{
    long lost = (long)work[0] + work[2];
    return lost > 0 && 8 * lost > k - (long)work[1] - work[3];
}

// Searches for exact integers that two parts cannot represent. The HELPERS items, which neither fetch nor multiply, do
// this while the products begin; the result is in `found`.
#define HELPERS 96
static __device__ void look_for_integers(uint *found, const uint *work, long m, long n, long lines_a, long lines)
{
    const uint *bits = work + HEADER + 2 * lines;
    const ulong *sums = (const ulong *)(work + HEADER + 4 * lines);
    uint own = 0;
#pragma unroll 4
    for (long i = threadIdx.x - 288; i < m + n; i += HELPERS) {
        long line = i < m ? i : lines_a + i - m;
        uint word = bits[line];
        if (!(word >> 31))
            own |= integer_line(word, sums[line]) << (i < m ? 0 : 4);
    }
    if (own)
        atomicOr(found, own);
    __threadfence_block();
    asm volatile("bar.arrive 2, 352;" ::: "memory");
}

// The multiplying items call this once, before they change C.
static __device__ __forceinline__ bool integers_found(const volatile uint *found)
{
    asm volatile("bar.sync 2, 352;" ::: "memory");
    uint all = *found;
    return (all & 0x11) == 0x11 && ((all & 0x22) || (all & 0x44) == 0x44);
}

// ---- the two roles ------------------------------------------------------------------------------------------------

// Addresses of the kernel's data.
struct job {
    char *work, *planes_a, *planes_b;
    float *sums;
    int rows, cols; // of tiles
};

struct ring {
    uint start, full, empty; // addresses of the stages and of the barriers
};

static __device__ void fetch_tiles(const job &job, const volatile share *own, const ring &ring)
{
    item it;
    uint slot = 0, parity = 1;
    for (int i = 0; take(own, i, it); i++) {
        place at = place_of(it.tile, job.rows, job.cols, GROUPED);
        const char *from_a = job.planes_a + ((long)at.row * own->stages + it.first) * (2 * PLANE);
        const char *from_b = job.planes_b + ((long)at.col * own->stages + it.first) * (2 * PLANE);
        for (int stage = it.first; stage < it.last; stage++) {
            uint to = ring.start + slot * STAGE, barrier = ring.full + slot * 8;
            barrier_wait(ring.empty + slot * 8, parity);
            barrier_expect(barrier, STAGE);
            copy_bulk(to, from_a, 2 * PLANE, barrier);
            copy_bulk(to + 2 * PLANE, from_b, 2 * PLANE, barrier);
            from_a += 2 * PLANE, from_b += 2 * PLANE;
            if (++slot == STAGES)
                slot = 0, parity ^= 1;
        }
    }
}

// The sums of one item's stages. slot and parity continue from item to item.
static __device__ __forceinline__ void add_stages(float (&sum)[SUMS], const item &it, const ring &ring, uint &slot,
                                                  uint &parity)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float product[SUMS], cross[SUMS];
    uint before = 0;
    for (int stage = it.first; stage < it.last; stage++) {
        const uint from = ring.start + slot * STAGE;
        const ulong a_low = describe(from + warp / 4 * (PLANE / 2)), b_low = describe(from + 2 * PLANE);
        const ulong a_high = a_low + (PLANE >> 4), b_high = b_low + (PLANE >> 4);
        barrier_wait(ring.full + slot * 8, parity);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        multiply(product, a_high, b_high, 0);
        multiply(cross, a_high, b_low, stage > it.first);
#pragma unroll
        for (int step = 1; step < 4; step++)
            multiply_both(product, cross, a_high + 2 * step, b_low + 2 * step);
        asm volatile("wgmma.commit_group.sync.aligned;\n"
                     "wgmma.wait_group.sync.aligned 1;" ::
                         : "memory");
        if (stage > it.first && lane == 0)
            barrier_arrive(ring.empty + before * 8);
#pragma unroll
        for (int step = 0; step < 4; step++)
            multiply(cross, a_low + 2 * step, b_high + 2 * step, 1);
        asm volatile("wgmma.commit_group.sync.aligned;\n"
                     "wgmma.wait_group.sync.aligned 1;" ::
                         : "memory");
        before = slot;
        if (++slot == STAGES)
            slot = 0, parity ^= 1;
#pragma unroll
        for (int i = 0; i < SUMS; i++)
            sum[i] += product[i];
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    if (lane == 0)
        barrier_arrive(ring.empty + before * 8);
#pragma unroll
    for (int i = 0; i < SUMS; i++)
        sum[i] += cross[i] * 0x1p-11f;
}

// Stores the group's sums for the group that finishes the tile.
static __device__ __forceinline__ void leave_sums(const float (&sum)[SUMS], const job &job)
{
    float *to = job.sums + (long)blockIdx.x * (LINES * LINES) + threadIdx.x;
    uint *flag = (uint *)job.work + FLAGS + blockIdx.x;
#pragma unroll
    for (int i = 0; i < SUMS; i++)
        to[i * 256] = sum[i];
    __threadfence();
    asm volatile("bar.sync 1, 256;" ::: "memory");
    if (threadIdx.x == 0)
        asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(flag) : "memory");
}

// Adds the sums of this tile that earlier groups stored.
static __device__ __forceinline__ void take_sums(float (&sum)[SUMS], const job &job, const volatile share *own,
                                                 int tile)
{
    int groups = own->groups, base = own->whole * groups;
    long stages = own->stages, all = (own->tiles - base) * stages, begin = (tile - base) * stages;
    for (int other = ((begin + 1) * groups - 1) / all; other < blockIdx.x; other++) {
        if (all * other / groups == all * (other + 1) / groups)
            continue;
        const uint *flag = (const uint *)job.work + FLAGS + other;
        const float *from = job.sums + (long)other * (LINES * LINES) + threadIdx.x;
        uint there = 0;
        while (!there)
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(there) : "l"(flag) : "memory");
#pragma unroll
        for (int i = 0; i < SUMS; i++)
            sum[i] += __ldcg(from + i * 256);
    }
}

// ---- the kernel ---------------------------------------------------------------------------------------------------

extern "C" __global__ void __launch_bounds__(384, 1)
    matmul(const float *a, const float *b, float *c, char *work, long planes, long sums, long m, long n, long k,
           float alpha, float beta, long lda, long ldb, long ldc, long lines_a, long lines_b)
{
    extern __shared__ char shared[];
    __shared__ share own;
    __shared__ uint found;
    const long lines = lines_a + lines_b;
    const int stages = max(1l, (k + 63) / 64);
    const uint unaligned = __cvta_generic_to_shared(shared), start = (unaligned + 1023) & ~1023u;
    const ring ring = {start, start + STAGES * STAGE, start + STAGES * STAGE + STAGES * 8};
    uint *wanted = (uint *)work + WANTED;
    if (is_wide((const uint *)work, k)) {
        if (blockIdx.x == 0 && threadIdx.x == 0)
            *wanted = 1;
        return;
    }
    if (threadIdx.x == 0) {
        found = 0;
        own = share_of(lines_a / LINES * (lines_b / LINES), stages);
        for (int slot = 0; slot < STAGES; slot++) {
            barrier_create(ring.full + slot * 8, 1);  // the fetching thread, and the bytes
            barrier_create(ring.empty + slot * 8, 8); // the multiplying warps
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    char *planes_b = work + planes + lines_a * stages * 256;
    const job job = {
        work, work + planes, planes_b, (float *)(work + sums), (int)(lines_a / LINES), (int)(lines_b / LINES)};
    if (threadIdx.x >= 256) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x == 256)
            fetch_tiles(job, &own, ring);
        if (threadIdx.x >= 288)
            look_for_integers(&found, (const uint *)work, m, n, lines_a, lines);
        return;
    }
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    const results to = results_of(a, b, c, work, m, n, k, alpha, beta, lda, ldb, ldc, lines_a, lines_b);
    const int warp = threadIdx.x / 32;
    float *staged = (float *)(shared + (start - unaligned) + STAGED) + warp * (16 * PITCH);
    item it;
    uint slot = 0, parity = 0;
    bool six = false, known = false;
    for (int i = 0; take(&own, i, it); i++) {
        float sum[SUMS] = {};
        add_stages(sum, it, ring, slot, parity);
        if (!known)
            six = integers_found(&found);
        known = true;
        if (it.last < stages) {
            leave_sums(sum, job);
            continue;
        }
        if (it.first > 0)
            take_sums(sum, job, &own, it.tile);
        place at = place_of(it.tile, job.rows, job.cols, GROUPED);
        if (!six)
            store_rows(to, sum, staged, (long)at.row * LINES + warp * 16, (long)at.col * LINES);
    }
    if (six && threadIdx.x == 0)
        *wanted = 1;
}
