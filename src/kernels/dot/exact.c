/* The correctly rounded sum: the same bits for any order, number of threads, and instruction set. Blocks are added up
 * in vectors, with what rounding lost; an accumulator without rounding takes the blocks' sums. Only where what is still
 * uncertain could change the result's rounding does the accumulator take every product. */
#include <math.h>
#include <string.h>

#include "base/pool.h"
#include "base/size.h"
#include "kernels/dot/dot.h"
#include "kernels/dot/exact_part.h"
#include "kernels/dot/long_sum.h"

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
    .enqueue = enqueue,
};
