// The tensor rungs' treatment of a result: scaling, recomputation, storing.

static __device__ bool is_finite(float value)
{
    return (__float_as_uint(value) & 0x7f800000) != 0x7f800000;
}

// A row of op(A) times a column of op(B), in float arithmetic.
static __device__ __noinline__ float multiply_plainly(const float *row, long row_step, const float *column,
                                                      long column_step, long k)
{
    float sum = 0;
    for (long i = 0; i < k; i++)
        sum += row[i * row_step] * column[i * column_step];
    return sum;
}

static __device__ __forceinline__ float power_of_two(int exponent)
{
    return __uint_as_float((uint)(exponent + 127) << 23);
}

// x·2^exponent; a subnormal result is rounded only once, except for its last bit.
static __device__ __forceinline__ float times_power(float x, int exponent)
{
    exponent = max(-252, min(252, exponent));
    return x * power_of_two(exponent / 2) * power_of_two(exponent - exponent / 2);
}

// The destination of results and the facts about their lines (planes.cuh): each line's s, and whether the parts cannot
// represent some of its numbers. OFFSET is added to each s: 31 for bfloat16, 0 for float16.
struct results {
    const float *a, *b;
    float *c;
    const int *scales_a, *scales_b;
    const uint *beyond_a, *beyond_b;
    long m, n, k, lda, ldb, ldc;
    float alpha, beta;
};

static __device__ __forceinline__ results results_of(const float *a, const float *b, float *c, const char *work, long m,
                                                     long n, long k, float alpha, float beta, long lda, long ldb,
                                                     long ldc, long lines_a, long lines_b)
{
    const long lines = lines_a + lines_b;
    const uint *words = (const uint *)work + 1024, *beyond = words + 3 * lines;
    const int *scales = (const int *)words + 6 * lines;
    return {a, b, c, scales, scales + lines_a, beyond, beyond + lines_a, m, n, k, lda, ldb, ldc, alpha, beta};
}

static __device__ __forceinline__ void put(const results &to, float value, long row, long col)
{
    float *at = to.c + row * to.ldc + col;
    *at = to.alpha * value + (to.beta == 0 ? 0 : to.beta * *at);
}

// Stores any result within C, scaled or computed again from the floats. The function is not inlined: in an unrolled
// loop its code would not fit the instruction cache.
static __device__ __noinline__ void store_any(const results &to, float sum, long row, long col)
{
    if (is_finite(sum) && !(to.beyond_a[row] | to.beyond_b[col]))
        sum = times_power(sum, -(to.scales_a[row] + to.scales_b[col] + 2 * OFFSET));
    else
        sum = multiply_plainly(to.a + row * (TRANSA ? 1 : to.lda), TRANSA ? to.lda : 1,
                               to.b + col * (TRANSB ? to.ldb : 1), TRANSB ? 1 : to.ldb, to.k);
    put(to, sum, row, col);
}

// ---- by way of shared memory --------------------------------------------------------------------------------------

// 16 × 32 results of a warp in shared memory, and their destination.
#define PITCH 40 // floats from row to row
#define STAGED_BYTES (8 * 16 * PITCH * 4)
struct block {
    const float *staged;
    long row, col;
};

// Stores the block by rows of 128 bytes, and returns true, if all of its results are plain. They must be finite and
// fully represented by the parts, and no product may leave the range of normal floats when scaled.
static __device__ __forceinline__ bool store_plain(const results &to, const block &from)
{
    const int lane = threadIdx.x % 32, r = lane / 8, q = lane % 8 * 4;
    const float base = OFFSET ? 0x1p-62f : 1.0f, least = OFFSET ? 0x1p-122f : 0.0f;
    const int4 s = __ldg((const int4 *)(to.scales_b + from.col + q));
    const uint4 beyond = OFFSET ? __ldg((const uint4 *)(to.beyond_b + from.col + q)) : make_uint4(0, 0, 0, 0);
    const float4 f = make_float4(power_of_two(-s.x), power_of_two(-s.y), power_of_two(-s.z), power_of_two(-s.w));
    int most = max(max(abs(s.x), abs(s.y)), max(abs(s.z), abs(s.w)));
    bool bad = beyond.x | beyond.y | beyond.z | beyond.w;
    float4 v[4];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const int scale = __ldg(to.scales_a + from.row + i * 4 + r);
        const float g = power_of_two(-scale) * base;
        most = max(most, abs(scale));
        v[i] = *(const float4 *)&from.staged[(i * 4 + r) * PITCH + q];
        bad |= OFFSET && __ldg(to.beyond_a + from.row + i * 4 + r) ||
               v[i].x * 0 + v[i].y * 0 + v[i].z * 0 + v[i].w * 0 != 0;
        const float4 w = make_float4(v[i].x * g, v[i].y * g, v[i].z * g, v[i].w * g);
        bad |= OFFSET && (fabsf(w.x) < least && v[i].x != 0 || fabsf(w.y) < least && v[i].y != 0 ||
                          fabsf(w.z) < least && v[i].z != 0 || fabsf(w.w) < least && v[i].w != 0);
        v[i] =
            make_float4(to.alpha * (w.x * f.x), to.alpha * (w.y * f.y), to.alpha * (w.z * f.z), to.alpha * (w.w * f.w));
    }
    if (__any_sync(~0u, most > (OFFSET ? 30 : 60) || bad))
        return false;
    if (to.beta == 0 && from.row + 16 <= to.m && from.col + 32 <= to.n && to.ldc % 4 == 0 && (ulong)to.c % 16 == 0) {
#pragma unroll
        for (int i = 0; i < 4; i++)
            *(float4 *)(to.c + (from.row + i * 4 + r) * to.ldc + from.col + q) = v[i];
        return true;
    }
    const long col = from.col + lane;
    const float factor = power_of_two(-to.scales_b[col]);
    float *at = to.c + from.row * to.ldc + col;
#pragma unroll 4
    for (int i = 0; i < 16; i++) {
        const float g = power_of_two(-to.scales_a[from.row + i]) * base;
        const float value = to.alpha * (from.staged[i * PITCH + lane] * g * factor);
        if (col < to.n && from.row + i < to.m)
            at[i * to.ldc] = value + (to.beta == 0 ? 0 : to.beta * at[i * to.ldc]);
    }
    return true;
}

// Stores a warp's 16 rows from `row` on and 2 · COUNT columns from `col` on, in wgmma's layout. `staged` belongs to the
// warp.
template <int COUNT>
static __device__ __forceinline__ void store_rows(const results &to, const float (&sum)[COUNT], float *staged, long row,
                                                  long col)
{
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int pass = 0; pass < COUNT / 16; pass++) {
        __syncwarp();
#pragma unroll
        for (int i = 0; i < 16; i += 2)
            *(float2 *)&staged[(lane / 4 + i / 2 % 2 * 8) * PITCH + i / 4 * 8 + lane % 4 * 2] =
                make_float2(sum[pass * 16 + i], sum[pass * 16 + i + 1]);
        __syncwarp();
        const block from = {staged, row, col + pass * 32};
        if (store_plain(to, from))
            continue;
        for (int i = 0; i < 16; i++)
            if (row + i < to.m && from.col + lane < to.n)
                store_any(to, staged[i * PITCH + lane], row + i, from.col + lane);
    }
}

// Whether a rung of fewer products requested six products.
static __device__ bool six_wanted(const char *work)
{
    return ((const uint *)work)[4] != 0;
}
