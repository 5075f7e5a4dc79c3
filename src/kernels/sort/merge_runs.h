/* Merges sorted runs that follow one another in memory, two at a time, with OpenMP's threads. */
#pragma once

#include "kernels/sort/sort.h"

/* Where run `index` (0 … runs) begins, of elements that are cut into runs as evenly as possible. */
static inline size_t even_run_begin(size_t count, size_t runs, size_t index)
{
    return count / runs * index + (index < count % runs ? index : count % runs);
}

struct run_merge {
    size_t runs;
    const size_t *starts;   /* of each run, and behind the last the number of elements; NULL: even_run_begin */
    size_t count, bytes;    /* of elements, and of one: 4 or 8 */
    struct key_order order; /* zeroed: the elements are keys */
};

/* Each pass halves the number of runs and reads one of both arrays and writes the other, beginning with `source`.
 * Returns the array with the result. */
void *merge_runs(const struct run_merge *merge, void *source, void *other);
