/* A resize to any size in two passes: growing, a row of the source is widened to the target's width and serves several
 * rows of the target, each blended of two; shrinking, two rows are mixed at the source's width, and what is needed of
 * the mixture is taken. The rows of the target are shared out among the pool's threads. */
#pragma once

#include <stdbool.h>

#include "kernels/resize/resize.h"

/* One arithmetic for the two passes. `wide` and `mixed` are rows between the passes. */
struct passes {
    size_t column_bytes; /* of the place and weight of a column of the target */
    size_t wide_bytes;   /* of a channel between the passes */
    void (*find_columns)(const struct resizing *r, void *columns);
    void (*widen)(const struct resizing *r, void *wide, const uint8_t *row, const void *columns);
    /* `place` is the row's. Stores may pass the caches by: settle. */
    void (*blend)(const struct resizing *r, uint8_t *out, const void *upper, const void *lower, struct place place,
                  bool streams);
    void (*mix)(const struct resizing *r, void *mixed, const uint8_t *upper, const uint8_t *lower, struct place place);
    void (*take)(const struct resizing *r, uint8_t *out, const void *mixed, const void *columns);
};

/* Bytes of scratch memory for passes_run: rung.scratch. */
size_t passes_scratch(const struct passes *passes, const struct problem *problem);

void passes_run(const struct passes *passes, const struct run *run);

/* What the run's time grows with (rung.load): the parts that each thread waits for, and of the busiest one the target's
 * rows, and the source's that are widened. */
double passes_load(const struct resizing *r, int threads, double alone, double row, double widened);

/* Whether rows are mixed and taken, not widened and blended. */
bool passes_shrink(const struct resizing *r);

/* ---- for rungs that share out rows themselves ---------------------------------------------------------------------
 */

/* How many threads of `most` the target is worth; and in how many pieces of neighbouring rows it is dealt to them. */
size_t resize_threads(const struct resizing *r, size_t most);
size_t resize_pieces(int64_t rows, size_t threads);

/* Whether streaming stores, which pass by the caches, are better: once the target does not fit there anyway. */
bool resize_streams(const struct resizing *r);

/* Streaming stores are not ordered with others: called before the thread's piece is done. */
void resize_settle(void);
