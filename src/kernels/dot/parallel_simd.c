#include "base/pool.h"
#include "kernels/dot/dot.h"

/* Products below which another thread costs more time than it saves. */
#define THREAD_PRODUCTS 16384.0

struct sums {
    struct dot_product dot;
    size_t parts;
    double of_part[POOL_THREADS_MOST];
};

static void sum_part(void *context, size_t index, size_t thread)
{
    (void)thread;
    struct sums *sums = context;
    const struct dot_product *dot = &sums->dot;
    sums->of_part[index] = dot_vector_part(dot->type, dot->a, dot->b, dot_part(dot->count, sums->parts, index),
                                           dot_part(dot->count, sums->parts, index + 1));
}

/* The parts' sums are added in order, so that the same bound of threads gives the same bits, whoever runs a part. */
static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    struct sums sums;
    sums.dot = dot_of(run);
    sums.parts = pool_threads_for((double)sums.dot.count, THREAD_PRODUCTS);
    parallel_for(sums.parts, sums.parts, sum_part, &sums);
    double sum = 0;
    for (size_t part = 0; part < sums.parts; part++)
        sum += sums.of_part[part];
    *sums.dot.result = sum;
    return STATUS_OK;
}

static double load(const struct problem *problem, const struct parameters *parameters, int threads)
{
    (void)parameters;
    return dot_load(problem, 500,
                    pool_threads_worth((double)problem->values[0].size, THREAD_PRODUCTS, (size_t)threads));
}

const struct rung dot_parallel_simd = {
    .name = "parallel-simd",
    .idea = "both: all threads, each with vectors of double accumulators, at the rate of memory",
    .kind = RUNG_HOST,
    .takes = "f16 bf16",
    .backends = BACKEND_CPU,
    .rests_soon = true,
    .bound = "(n / 8 + 1088) * 0.00000000000000011102230246251565",
    .load = load,
    .enqueue = enqueue,
};
