// What the tensor rungs do with a result.

static __device__ bool is_finite(float value)
{
    return (__float_as_uint(value) & 0x7f800000) != 0x7f800000;
}

// A row of op(A) times a column of op(B), as floats.
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

// x·2^exponent; rounded once where the result is subnormal, but for the last bit.
static __device__ __forceinline__ float times_power(float x, int exponent)
{
    exponent = max(-252, min(252, exponent));
    return x * power_of_two(exponent / 2) * power_of_two(exponent - exponent / 2);
}

// Where the results of the bfloat16 rungs go. `work` is that of planes.cuh.
struct results {
    const float *a, *b;
    float *c;
    const char *work;
    long m, n, k, lda, ldb, ldc, lines_a, lines;
    float alpha, beta;
};

static __device__ __forceinline__ void put(const results &to, float value, long row, long col)
{
    float *at = to.c + row * to.ldc + col;
    *at = to.alpha * value + (to.beta == 0 ? 0 : to.beta * *at);
}

// What is known of a line (its number as planes.cuh counts them): the power of two of its results, and whether it has
// numbers that three parts do not hold.
struct line {
    int scale;
    uint beyond;
};

static __device__ __forceinline__ line line_of(const results &to, long number)
{
    const uint *words = (const uint *)to.work + 1024;
    return {(int)__ldg(words + 6 * to.lines + number) + 31, __ldg(words + 3 * to.lines + number)};
}

// Scales and stores one sum. False when it is to be computed again from the floats.
static __device__ __forceinline__ bool store(const results &to, float sum, long row, long col, line a, line b)
{
    if (row >= to.m || col >= to.n)
        return true;
    if (!is_finite(sum) || a.beyond | b.beyond)
        return false;
    put(to, times_power(sum, -(a.scale + b.scale)), row, col);
    return true;
}

// The callers collect such results first: code for them in an unrolled loop would not fit the instruction cache.
static __device__ __noinline__ void store_plainly(const results &to, long row, long col)
{
    put(to,
        multiply_plainly(to.a + row * (TRANSA ? 1 : to.lda), TRANSA ? to.lda : 1, to.b + col * (TRANSB ? to.ldb : 1),
                         TRANSB ? 1 : to.ldb, to.k),
        row, col);
}

// Whether a rung of fewer products has found that six are needed.
static __device__ bool six_wanted(const char *work)
{
    return ((const uint *)work)[4] != 0;
}
