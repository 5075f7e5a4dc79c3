#include <stdlib.h>

#include "kernels/sort/sort.h"

static int compare_32(const void *a, const void *b)
{
    /* begin compare */
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
    /* end compare */
}

static int compare_64(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    struct sorting sorting = sorting_of(run);
    keys_from_elements(&sorting, sorting.data, sorting.data);
    qsort(sorting.data, sorting.count, sorting.bytes, sorting.bytes == 4 ? compare_32 : compare_64);
    elements_from_keys(&sorting, sorting.data, sorting.data);
    return STATUS_OK;
}

const struct rung sort_qsort = {
    .name = "qsort",
    .idea = "the C library's qsort: n log n comparisons, each through a pointer to a function",
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .enqueue = enqueue,
};
