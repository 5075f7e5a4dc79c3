/* The host half of the rungs of one launch whose groups share the depth of a product: each leaves its sums for the
 * others in scratch memory (arrivals.cuh). */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "kernels/kernel.h"

#define SPANS_DEFINES_MOST 10

struct spans_define {
    const char *name;
    int value;
};

/* What a rung's plan decides. The kernel `matmul` takes the arrays, the scratch memory, sums_at, the launch's epoch,
 * m, n, the depth, alpha, beta, the three leading dimensions, and then `last`. */
struct spans_launch {
    size_t items, groups, local_bytes; /* groups: 0 where there are no results */
    size_t sums_at;                    /* bytes of flags in the scratch memory, before the sums */
    size_t last[3];                    /* how the depth is cut */
    size_t last_count;
    struct spans_define defines[SPANS_DEFINES_MOST];
    size_t define_count;
};

/* Builds the rung's program and makes the launch ready in run->state; spans_finish frees both, as does this function on
 * failure. STATUS_UNAVAILABLE: no memory; otherwise what program_build returns. */
enum status spans_prepare(struct run *run, const struct spans_launch *launch, struct error *error);
enum status spans_enqueue(struct run *run, struct error *error);
void spans_finish(struct run *run);

/* After spans_prepare: whether it launches anything, and the epoch of the last launch (before the first: 0). */
bool spans_has_groups(const struct run *run);
int64_t spans_epoch(const struct run *run);
