#include <omp.h>

#include "kernels/dot/dot.h"

#define THREADS_MAX 1024

static double sum_float(const float *a, const float *b, size_t from, size_t to)
{
    float sum = 0;
    for (size_t i = from; i < to; i++)
        sum += a[i] * b[i];
    return (double)sum;
}

static double sum_double(const double *a, const double *b, size_t from, size_t to)
{
    double sum = 0;
    for (size_t i = from; i < to; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Each thread's sum is kept and added in the threads' order, so that the same number of threads gives the same bits. */
static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    struct dot_product dot = dot_of(run);
    double sums[THREADS_MAX] = {0};
    /* begin join */
#pragma omp parallel num_threads(omp_get_max_threads() < THREADS_MAX ? omp_get_max_threads() : THREADS_MAX)
    {
        size_t thread = (size_t)omp_get_thread_num(), threads = (size_t)omp_get_num_threads();
        size_t from = dot_part(dot.count, threads, thread), to = dot_part(dot.count, threads, thread + 1);
        sums[thread] = dot.type == ELEMENT_F32     ? sum_float(dot.a, dot.b, from, to)
                       : element_is_half(dot.type) ? dot_half_sum(&dot, from, to)
                                                   : sum_double(dot.a, dot.b, from, to);
    }
    double sum = 0;
    for (int thread = 0; thread < THREADS_MAX; thread++)
        sum += sums[thread];
    /* end join */
    *dot.result = sum;
    return STATUS_OK;
}

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)device, (void)parameters, (void)reason, (void)size;
    return dot_too_many_for_one(problem, (size_t)omp_get_max_threads());
}

const struct rung dot_parallel = {
    .name = "parallel",
    .idea = "a part and an accumulator for each thread; the sums are added in order, so the bits repeat",
    .kind = RUNG_HOST,
    .takes = "f16 bf16",
    .backends = BACKEND_CPU,
    .bound = DOT_ONE_ACCUMULATOR,
    .supports = supports,
    .enqueue = enqueue,
};
