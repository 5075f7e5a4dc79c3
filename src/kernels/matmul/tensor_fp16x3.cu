// rung:    tensor-fp16x3
// idea:    three float16 products with float accuracy: scaled rows and columns, the small products in sums of their own
// tune:    GROUPED = 8 in 4 8 16
// group:   384
// groups:  ceil(m / 128) * ceil(n / 128)
// local:   218240
// require: element_bytes == 4, works on float only
// tensor:  3

// (high + low·2^-11)·(high' + low'·2^-11): the product of both low parts is below what a float of the result can hold,
// and three remain. planes.cu and planes_float16.cu make the parts; lines are scaled so that float16 has enough range.
//
// - high·high' is summed in the tensor core for 64 deep and then added to registers by an ordinary, rounding addition
// (a
//   tensor core cuts off what does not fit, always in the same direction). high·low' + low·high' is 2^11 times smaller,
//   has an accumulator of its own, and stays in the tensor core for the whole depth.
// - Both parts of B follow one another in shared memory: one wgmma of 256 columns multiplies the high part of A by
// both.
//   The rounding additions hide behind low·high', and a stage is given back as soon as the next one's products are
//   under way.
// - Groups stay for the whole product. Each takes whole tiles, side by side with the others; the tiles of the last,
//   incomplete round are shared out evenly along the depth. The group that ends a tile adds the sums that others left
//   of it, in a fixed order.
// - Results go through shared memory, and whole rows of 128 bytes are stored. The loop over them is short: unrolled
// code
//   for 64 results with all special cases was larger than the instruction cache, and took a fifth of the time.
//
// What three products cannot do is found while splitting. Six products of bfloat16, which the host half launches behind
// this kernel and which otherwise do nothing, compute it then:
//
// - numbers below 2^-27 of their line's largest lose bits: 2^-36 each at most, next to a factor below 2^15. While
// enough
//   numbers of all lines are beyond 2^-14 of the largest, this is less than a float's own rounding errors;
// - integers whose products are exact in float arithmetic must be exact here, too, and two parts have 23 bits of 24.
//
// NaN and infinity come out where they go in; such elements are computed again from the floats.

#include "kernels/matmul/hopper.cuh"
#include "kernels/matmul/results.cuh"
#include "kernels/matmul/shares.cuh"

#define LINES 128           // of a tile, both ways
#define PLANE (LINES * 128) // bytes of one part, 64 deep
#define STAGE (4 * PLANE)   // low and high part of A, then of B
#define STAGES 3
#define STAGED (STAGES * STAGE + 128) // where results go by
#define SUMS 64                       // results of one item
#define HEADER 1024                   // words of `work`; planes.cuh tells what they are
#define WANTED 4                      // this one: six products are wanted
#define FLAGS 16                      // from here on: the group's sums are left
#define EXACT_SUM (1ul << 26)

// ---- products -----------------------------------------------------------------------------------------------------

// Where a part lies: K-major, 128-byte swizzle, 8 lines are 1024 bytes. (PTX calls this a matrix descriptor.)
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

// A times the low and the high part of B, which follow one another.
static __device__ __forceinline__ void multiply_both(float (&high)[SUMS], float (&cross)[SUMS], ulong a, ulong b)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {" NAMES_128 "}, %128, %129, 1, 1, 1, 0, 0;"
                 : SIXTY_FOUR(cross), SIXTY_FOUR(high)
                 : "l"(a), "l"(b));
}

// ---- what is left to six products ---------------------------------------------------------------------------------

// What of a line bears on integers: 1 that it may have exact products, 2 that two parts do not hold it, 4 that one part
// does not.
static __device__ uint integer_line(uint bits, ulong sum)
{
    if (bits >> 31 || sum >> (__ffs(bits & 0xffffff | 1 << 24) - 1) > EXACT_SUM)
        return 0;
    return 1 | (bits >> 30 & 1) << 1 | (bits >> 29 & 1) << 2;
}

// By all items of the group.
static __device__ bool six_needed(const uint *work, long m, long n, long k, long lines_a, long lines)
{
    __shared__ uint found;
    const uint *bits = work + HEADER + 2 * lines;
    const ulong *sums = (const ulong *)(work + HEADER + 4 * lines);
    long lost = (long)work[0] + work[2];
    if (lost > 0 && 8 * lost > k - (long)work[1] - work[3])
        return true;
    if (threadIdx.x == 0)
        found = 0;
    __syncthreads();
    uint own = 0;
#pragma unroll 8
    for (long i = threadIdx.x; i < m + n; i += 384) {
        long line = i < m ? i : lines_a + i - m;
        uint word = bits[line];
        if (!(word >> 31))
            own |= integer_line(word, sums[line]) << (i < m ? 0 : 4);
    }
    if (own)
        atomicOr(&found, own);
    __syncthreads();
    uint all = found;
    return (all & 0x11) == 0x11 && ((all & 0x22) || (all & 0x44) == 0x44);
}

// ---- the two roles ------------------------------------------------------------------------------------------------

// What the kernel was called with.
struct job {
    const float *a, *b;
    float *c;
    char *work, *planes_a, *planes_b;
    float *sums;
    const int *scales_a, *scales_b;
    long m, n, k, lda, ldb, ldc;
    float alpha, beta;
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

// The sums of one item's stages. slot and parity go on from item to item.
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

// Leaves the group's sums for the group that ends the tile.
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

// Adds what the groups before left of this tile.
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

// ---- the result ---------------------------------------------------------------------------------------------------

// 16 × 32 results of a warp, in shared memory, and where they belong.
#define PITCH 40 // floats from row to row
struct block {
    const float *staged;
    long row, col;
};

// The block's results are finite and their scales near 1: true when stored. Whole blocks go by rows of 128 bytes.
static __device__ __forceinline__ bool store_plain(const job &job, const block &from)
{
    const int lane = threadIdx.x % 32, r = lane / 8, q = lane % 8 * 4;
    int4 s = *(const int4 *)(job.scales_b + from.col + q);
    int most = max(max(abs(s.x), abs(s.y)), max(abs(s.z), abs(s.w)));
    float4 f = make_float4(power_of_two(-s.x), power_of_two(-s.y), power_of_two(-s.z), power_of_two(-s.w)), v[4];
    float bad = 0;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        int scale = job.scales_a[from.row + i * 4 + r];
        most = max(most, abs(scale));
        float g = power_of_two(-scale);
        v[i] = *(const float4 *)&from.staged[(i * 4 + r) * PITCH + q];
        bad += v[i].x * 0 + v[i].y * 0 + v[i].z * 0 + v[i].w * 0;
        v[i] = make_float4(job.alpha * (v[i].x * g * f.x), job.alpha * (v[i].y * g * f.y),
                           job.alpha * (v[i].z * g * f.z), job.alpha * (v[i].w * g * f.w));
    }
    if (!__all_sync(~0u, most <= 60 && bad == 0))
        return false;
    if (job.beta == 0 && from.row + 16 <= job.m && from.col + 32 <= job.n && job.ldc % 4 == 0 &&
        (ulong)job.c % 16 == 0) {
#pragma unroll
        for (int i = 0; i < 4; i++)
            *(float4 *)(job.c + (from.row + i * 4 + r) * job.ldc + from.col + q) = v[i];
        return true;
    }
    const long col = from.col + lane;
    const float factor = power_of_two(-job.scales_b[col]);
    float *to = job.c + from.row * job.ldc + col;
#pragma unroll 4
    for (int i = 0; i < 16; i++) {
        float value = job.alpha * (from.staged[i * PITCH + lane] * power_of_two(-job.scales_a[from.row + i]) * factor);
        if (col < job.n && from.row + i < job.m)
            to[i * job.ldc] = value + (job.beta == 0 ? 0 : job.beta * to[i * job.ldc]);
    }
    return true;
}

// Any results: what is not finite is computed again from the floats.
static __device__ __noinline__ void store_any(const job &job, const block &from)
{
    const long col = from.col + threadIdx.x % 32;
    for (int i = 0; i < 16; i++) {
        const long row = from.row + i;
        if (row >= job.m || col >= job.n)
            continue;
        float value = from.staged[i * PITCH + threadIdx.x % 32], *to = job.c + row * job.ldc + col;
        if (is_finite(value))
            value = times_power(value, -(job.scales_a[row] + job.scales_b[col]));
        else
            value = multiply_plainly(job.a + row * (TRANSA ? 1 : job.lda), TRANSA ? job.lda : 1,
                                     job.b + col * (TRANSB ? job.ldb : 1), TRANSB ? 1 : job.ldb, job.k);
        *to = job.alpha * value + (job.beta == 0 ? 0 : job.beta * *to);
    }
}

static __device__ __forceinline__ void store_tile(const float (&sum)[SUMS], const job &job, float *staged, place at)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    staged += warp * (16 * PITCH);
#pragma unroll
    for (int pass = 0; pass < 4; pass++) {
        __syncwarp();
#pragma unroll
        for (int i = 0; i < 16; i += 2)
            *(float2 *)&staged[(lane / 4 + i / 2 % 2 * 8) * PITCH + i / 4 * 8 + lane % 4 * 2] =
                make_float2(sum[pass * 16 + i], sum[pass * 16 + i + 1]);
        __syncwarp();
        const block from = {staged, (long)at.row * LINES + warp * 16, (long)at.col * LINES + pass * 32};
        if (!store_plain(job, from))
            store_any(job, from);
    }
}

// ---- the kernel ---------------------------------------------------------------------------------------------------

extern "C" __global__ void __launch_bounds__(384, 1)
    matmul(const float *a, const float *b, float *c, char *work, long planes, long sums, long m, long n, long k,
           float alpha, float beta, long lda, long ldb, long ldc, long lines_a, long lines_b)
{
    extern __shared__ char shared[];
    __shared__ share own;
    const long lines = lines_a + lines_b;
    const int stages = max(1l, (k + 63) / 64);
    const uint unaligned = __cvta_generic_to_shared(shared), start = (unaligned + 1023) & ~1023u;
    const ring ring = {start, start + STAGES * STAGE, start + STAGES * STAGE + STAGES * 8};
    if (six_needed((const uint *)work, m, n, k, lines_a, lines)) {
        if (blockIdx.x == 0 && threadIdx.x == 0)
            ((uint *)work)[WANTED] = 1;
        return;
    }
    if (threadIdx.x == 0) {
        own = share_of(lines_a / LINES * (lines_b / LINES), stages);
        for (int slot = 0; slot < STAGES; slot++) {
            barrier_create(ring.full + slot * 8, 1);  // the fetching thread, and the bytes
            barrier_create(ring.empty + slot * 8, 8); // the multiplying warps
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    const int *scales = (const int *)work + HEADER + 6 * lines;
    char *planes_b = work + planes + lines_a * stages * 256;
    const job job = {a,
                     b,
                     c,
                     work,
                     work + planes,
                     planes_b,
                     (float *)(work + sums),
                     scales,
                     scales + lines_a,
                     m,
                     n,
                     k,
                     lda,
                     ldb,
                     ldc,
                     alpha,
                     beta,
                     (int)(lines_a / LINES),
                     (int)(lines_b / LINES)};
    if (threadIdx.x >= 256) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
        if (threadIdx.x == 256)
            fetch_tiles(job, &own, ring);
        return;
    }
    asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
    item it;
    uint slot = 0, parity = 0;
    for (int i = 0; take(&own, i, it); i++) {
        float sum[SUMS] = {};
        add_stages(sum, it, ring, slot, parity);
        if (it.last < stages) {
            leave_sums(sum, job);
            continue;
        }
        if (it.first > 0)
            take_sums(sum, job, &own, it.tile);
        store_tile(sum, job, (float *)(shared + (start - unaligned) + STAGED),
                   place_of(it.tile, job.rows, job.cols, GROUPED));
    }
}
