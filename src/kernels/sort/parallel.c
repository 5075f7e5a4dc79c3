/* Every thread sorts a part with qsort; then neighbouring runs are merged, until one is left (merge_runs.h). */
#include <omp.h>
#include <stdlib.h>

#include "kernels/sort/merge_runs.h"

/* Fewer keys than these are not worth another thread. */
#define KEYS_PER_THREAD ((size_t)1 << 12)

static int compare_32(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static int compare_64(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static size_t scratch(const struct problem *problem, const struct device *device, const struct parameters *parameters)
{
    (void)device, (void)parameters;
    return (size_t)problem_size(problem, "n") * element_info(problem->type)->bytes;
}

static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    struct sorting sorting = sorting_of(run);
    size_t runs = (size_t)omp_get_max_threads(), most = sorting.count / KEYS_PER_THREAD + 1;
    runs = runs < most ? runs : most;
    keys_from_elements(&sorting, sorting.data, sorting.data);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < runs; i++) {
        size_t begin = even_run_begin(sorting.count, runs, i), end = even_run_begin(sorting.count, runs, i + 1);
        qsort((char *)sorting.data + begin * sorting.bytes, end - begin, sorting.bytes,
              sorting.bytes == 4 ? compare_32 : compare_64);
    }
    const struct run_merge merge = {.runs = runs, .count = sorting.count, .bytes = sorting.bytes};
    const void *source = merge_runs(&merge, sorting.data, sorting.scratch);
    elements_from_keys(&sorting, sorting.data, source);
    return STATUS_OK;
}

const struct rung sort_parallel = {
    .name = "parallel",
    .idea = "every thread sorts a part with qsort, then all threads merge the parts, each its piece of every merge",
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .takes = "order",
    .scratch = scratch,
    .enqueue = enqueue,
};
