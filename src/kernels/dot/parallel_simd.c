#include <omp.h>

#include "kernels/dot/dot.h"

#define THREADS_MAX 1024

static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    struct dot_product dot = dot_of(run);
    double sums[THREADS_MAX] = {0};
#pragma omp parallel num_threads(omp_get_max_threads() < THREADS_MAX ? omp_get_max_threads() \
                                                                     : THREADS_MAX) if (dot.count > 16384)
    {
        size_t thread = (size_t)omp_get_thread_num(), threads = (size_t)omp_get_num_threads();
        sums[thread] = dot_vector_part(dot.type, dot.a, dot.b, dot_part(dot.count, threads, thread),
                                       dot_part(dot.count, threads, thread + 1));
    }
    double sum = 0;
    for (int thread = 0; thread < THREADS_MAX; thread++)
        sum += sums[thread];
    *dot.result = sum;
    return STATUS_OK;
}

const struct rung dot_parallel_simd = {
    .name = "parallel-simd",
    .idea = "both: all threads, each with vectors of double accumulators, at the rate of memory",
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .bound = "(n / 8 + 1088) * 0.00000000000000011102230246251565",
    .enqueue = enqueue,
};
