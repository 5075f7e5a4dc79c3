/* The correctly rounded sum: the same bits for any order, number of threads, and instruction set. Blocks are added up
 * in vectors, with what rounding lost; an accumulator without rounding takes the blocks' sums. Only where what is still
 * uncertain could change the result's rounding does the accumulator take every product. */
#include <math.h>
#include <stddef.h>

#include "backends/cpu/cpu.h"
#include "base/element.h"
#include "base/pool.h"
#include "base/size.h"
#include "kernels/dot/dot.h"
#include "kernels/dot/long_sum.h"

/* Sums of a block of products with what rounding lost. */
#define DOT_LANES 32

/* The sum of all high and low is that of the products, but for what the additions to `low` lost: see dot_lanes_of. */
struct dot_lanes {
    double high[DOT_LANES], low[DOT_LANES]; /* unused lanes are 0 */
    double magnitude;                       /* of all products, within a millionth of it */
};

/* Terms from … to - 1, at most DOT_BLOCK of them. As long as every lane of `high` is finite, the sum is within
 * DOT_LANES_ERROR times the magnitude, and 2^-1074 for each term, of that of the products: each lane has k <= 2^14
 * terms, whose errors are below 2^-53 of a partial sum, and adding them up in `low` loses at most k * 2^-53 of their
 * sum. */
#define DOT_BLOCK ((size_t)1 << 16)
#define DOT_LANES_ERROR 0x1p-74

/* sum + value in two doubles, exactly (Knuth's TwoSum), where every rounding error of the products is one more value.
 */
static inline void add_term(double *high, double *low, double product, double error)
{
    const double total = *high + product, part = total - *high;
    *low += ((*high - (total - part)) + (product - part)) + error;
    *high = total;
}

static inline void base_term(enum element_type type, const void *a, const void *b, size_t i, size_t lane,
                             struct dot_lanes *lanes)
{
    const double x = dot_element(type, a, i), y = dot_element(type, b, i);
    const double product = x * y;
    add_term(&lanes->high[lane], &lanes->low[lane], product, type == ELEMENT_F64 ? fma(x, y, -product) : 0);
    lanes->magnitude += fabs(product);
}

static void base_lanes(enum element_type type, const void *a, const void *b, size_t from, size_t to,
                       struct dot_lanes *lanes)
{
    for (size_t i = from; i < to; i++)
        base_term(type, a, b, i, (i - from) % 4, lanes);
}

#if defined(__x86_64__)
#include "kernels/dot/vector_loads.h"

#define SUMS 4 /* vectors, so that additions need not wait for each other */

#define NO_ERROR(zero, fms, x, y, product) zero()
#define ERROR_OF(zero, fms, x, y, product) fms(x, y, product)

/* What is left behind the last whole step goes to the first lanes. */
#define DEFINE_LANES(suffix, instructions, type, element, vector, width, op, load, error_of)                          \
    __attribute__((target(instructions))) static void lanes_##suffix(const element *a, const element *b, size_t from, \
                                                                     size_t to, struct dot_lanes *out)                \
    {                                                                                                                 \
        vector high[SUMS], low[SUMS], magnitude = op##_setzero_pd();                                                  \
        for (int k = 0; k < SUMS; k++)                                                                                \
            high[k] = low[k] = op##_setzero_pd();                                                                     \
        size_t i = from;                                                                                              \
        for (; i + SUMS * (width) <= to; i += SUMS * (width)) {                                                       \
            _Pragma("GCC unroll 4") for (size_t k = 0; k < SUMS; k++)                                                 \
            {                                                                                                         \
                const vector x = load(a + i + k * (width)), y = load(b + i + k * (width));                            \
                const vector product = op##_mul_pd(x, y), total = op##_add_pd(high[k], product);                      \
                const vector part = op##_sub_pd(total, high[k]);                                                      \
                const vector lost =                                                                                   \
                    op##_add_pd(op##_sub_pd(high[k], op##_sub_pd(total, part)), op##_sub_pd(product, part));          \
                const vector error = error_of(op##_setzero_pd, op##_fmsub_pd, x, y, product);                         \
                low[k] = op##_add_pd(low[k], op##_add_pd(lost, error));                                               \
                high[k] = total;                                                                                      \
                magnitude = op##_add_pd(magnitude, op##_max_pd(product, op##_sub_pd(op##_setzero_pd(), product)));    \
            }                                                                                                         \
        }                                                                                                             \
        double magnitudes[width];                                                                                     \
        op##_storeu_pd(magnitudes, magnitude);                                                                        \
        for (size_t k = 0; k < SUMS; k++) {                                                                           \
            op##_storeu_pd(out->high + k * (width), high[k]);                                                         \
            op##_storeu_pd(out->low + k * (width), low[k]);                                                           \
        }                                                                                                             \
        for (size_t k = 0; k < (width); k++)                                                                          \
            out->magnitude += magnitudes[k];                                                                          \
        for (size_t lane = 0; i < to; i++, lane++)                                                                    \
            base_term(type, a, b, i, lane % ((size_t)SUMS * (width)), out);                                           \
    }

DEFINE_LANES(avx512_float, "avx512f", ELEMENT_F32, float, __m512d, 8, _mm512, LOAD_512_FLOAT, NO_ERROR)
DEFINE_LANES(avx512_double, "avx512f", ELEMENT_F64, double, __m512d, 8, _mm512, _mm512_loadu_pd, ERROR_OF)
DEFINE_LANES(avx2_float, "avx2,fma", ELEMENT_F32, float, __m256d, 4, _mm256, LOAD_256_FLOAT, NO_ERROR)
DEFINE_LANES(avx2_double, "avx2,fma", ELEMENT_F64, double, __m256d, 4, _mm256, _mm256_loadu_pd, ERROR_OF)
DEFINE_LANES(avx512_f16, "avx512f,f16c", ELEMENT_F16, uint16_t, __m512d, 8, _mm512, LOAD_512_F16, NO_ERROR)
DEFINE_LANES(avx512_bf16, "avx512f", ELEMENT_BF16, uint16_t, __m512d, 8, _mm512, LOAD_512_BF16, NO_ERROR)
DEFINE_LANES(avx2_f16, "avx2,fma,f16c", ELEMENT_F16, uint16_t, __m256d, 4, _mm256, LOAD_256_F16, NO_ERROR)
DEFINE_LANES(avx2_bf16, "avx2,fma", ELEMENT_BF16, uint16_t, __m256d, 4, _mm256, LOAD_256_BF16, NO_ERROR)
#endif

static void dot_lanes_of(enum element_type type, const void *a, const void *b, size_t from, size_t to,
                         struct dot_lanes *lanes)
{
    *lanes = (struct dot_lanes){.magnitude = 0};
    switch (cpu_isa()) {
#if defined(__x86_64__)
    case CPU_ISA_AVX512:
        if (type == ELEMENT_F32)
            lanes_avx512_float(a, b, from, to, lanes);
        else if (type == ELEMENT_F64)
            lanes_avx512_double(a, b, from, to, lanes);
        else if (type == ELEMENT_F16)
            lanes_avx512_f16(a, b, from, to, lanes);
        else
            lanes_avx512_bf16(a, b, from, to, lanes);
        return;
    case CPU_ISA_AVX2:
        if (type == ELEMENT_F32)
            lanes_avx2_float(a, b, from, to, lanes);
        else if (type == ELEMENT_F64)
            lanes_avx2_double(a, b, from, to, lanes);
        else if (type == ELEMENT_F16)
            lanes_avx2_f16(a, b, from, to, lanes);
        else
            lanes_avx2_bf16(a, b, from, to, lanes);
        return;
#endif
    default:
        base_lanes(type, a, b, from, to, lanes);
    }
}

/* Products below which another thread costs more time than it saves. */
#define THREAD_PRODUCTS 16384.0

/* What one thread has added up. */
struct part {
    struct long_sum sum;
    double magnitude;
    bool is_finite, has_nan, has_infinity, has_minus_infinity; /* terms, but for is_finite */
};

struct job {
    struct dot_product dot;
    struct part *parts;
};

static size_t blocks_of(size_t count)
{
    return count / DOT_BLOCK + (count % DOT_BLOCK != 0);
}

/* ---- blocks in vectors ------------------------------------------------------------------------------------------- */

static void add_block(void *context, size_t block, size_t thread)
{
    const struct job *job = context;
    struct part *part = &job->parts[thread];
    struct dot_lanes lanes;
    const size_t from = block * DOT_BLOCK, to = size_least(from + DOT_BLOCK, job->dot.count);
    dot_lanes_of(job->dot.type, job->dot.a, job->dot.b, from, to, &lanes);
    for (size_t i = 0; part->is_finite && i < DOT_LANES; i++) {
        part->is_finite = isfinite(lanes.high[i]) && isfinite(lanes.low[i]);
        if (part->is_finite) {
            long_sum_add(&part->sum, lanes.high[i]);
            long_sum_add(&part->sum, lanes.low[i]);
        }
    }
    part->magnitude += lanes.magnitude;
}

/* False where what is uncertain could change the rounding. */
static bool is_certain(const struct part *whole, size_t count, double *result)
{
    const double uncertain = 2 * DOT_LANES_ERROR * whole->magnitude + ((double)count + 1) * 0x1p-1073;
    struct long_sum least = whole->sum, most = whole->sum;
    if (!whole->is_finite || !isfinite(uncertain))
        return false;
    long_sum_add(&least, -uncertain);
    long_sum_add(&most, uncertain);
    const double low = long_sum_value(&least), high = long_sum_value(&most);
    *result = low;
    return low == high && low != 0;
}

/* ---- every product ----------------------------------------------------------------------------------------------- */

static void note_special(struct part *part, double a, double b)
{
    if (isnan(a) || isnan(b) || a == 0 || b == 0)
        part->has_nan = true;
    else if (!signbit(a) == !signbit(b))
        part->has_infinity = true;
    else
        part->has_minus_infinity = true;
}

static void add_products(void *context, size_t block, size_t thread)
{
    const struct job *job = context;
    struct part *part = &job->parts[thread];
    const size_t from = block * DOT_BLOCK, to = size_least(from + DOT_BLOCK, job->dot.count);
    for (size_t i = from; i < to; i++) {
        const double a = dot_element(job->dot.type, job->dot.a, i), b = dot_element(job->dot.type, job->dot.b, i);
        if (isfinite(a) && isfinite(b))
            long_sum_add_product(&part->sum, a, b);
        else
            note_special(part, a, b);
    }
}

static double value_of(const struct part *whole)
{
    if (whole->has_nan || (whole->has_infinity && whole->has_minus_infinity))
        return NAN;
    if (whole->has_infinity || whole->has_minus_infinity)
        return whole->has_infinity ? INFINITY : -INFINITY;
    return long_sum_value(&whole->sum);
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

static void add_all(struct job *job, size_t threads, pool_piece *piece, struct part *whole)
{
    for (size_t t = 0; t < threads; t++)
        job->parts[t] = (struct part){.is_finite = true};
    parallel_for(blocks_of(job->dot.count), threads, piece, job);
    *whole = job->parts[0];
    for (size_t t = 1; t < threads; t++) {
        const struct part *part = &job->parts[t];
        long_sum_merge(&whole->sum, &part->sum);
        whole->magnitude += part->magnitude;
        whole->is_finite &= part->is_finite;
        whole->has_nan |= part->has_nan;
        whole->has_infinity |= part->has_infinity;
        whole->has_minus_infinity |= part->has_minus_infinity;
    }
}

static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    struct job job = {dot_of(run), run->scratch->host};
    struct part whole;
    const size_t room = run->scratch->bytes / sizeof *job.parts; /* the number of threads may have changed since */
    const size_t threads = size_least(pool_threads_for((double)job.dot.count, THREAD_PRODUCTS), room);
    add_all(&job, threads, add_block, &whole);
    if (is_certain(&whole, job.dot.count, job.dot.result))
        return STATUS_OK;
    add_all(&job, threads, add_products, &whole);
    *job.dot.result = value_of(&whole);
    return STATUS_OK;
}

static size_t scratch(const struct problem *problem, const struct device *device, const struct parameters *parameters)
{
    (void)device, (void)parameters;
    return pool_threads_for((double)problem->values[0].size, THREAD_PRODUCTS) * sizeof(struct part);
}

static double load(const struct problem *problem, const struct parameters *parameters, int threads)
{
    (void)parameters;
    return dot_load(problem, 1500,
                    pool_threads_worth((double)problem->values[0].size, THREAD_PRODUCTS, (size_t)threads));
}

const struct rung dot_exact = {
    .name = "exact",
    .idea = "the correctly rounded sum, whatever the order: blocks in vectors with their rounding errors, then an "
            "accumulator as wide as a double's range",
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .rests_soon = true,
    .takes = "precision f16 bf16",
    .bound = "0.00000000000000011102230246251565",
    .scratch = scratch,
    .load = load,
    .enqueue = enqueue,
};
