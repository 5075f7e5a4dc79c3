/* The sort on several devices. Each sorts its share. The sorted shares are split so that each device receives exactly
 * the keys of its share of the result. The received runs are then merged or sorted. */
#pragma once

#include "distributed/carrier.h"

#define SORT_BLOCK 1024 /* elements are distributed in multiples of it */

/* The first element of device `index` of `count`. */
size_t keys_begin(const struct problem *problem, size_t count, size_t index);

/* A device's part of the result in pieces: one travels while the one before it is merged. The first is small, so that
 * merges begin soon, and the last, so that little is left to be merged when it has come. More pieces take longer to
 * travel (four H200: 8 of one size 4 %, 16 9 %). */
#define SORT_PIECES 6

/* Where piece `piece` of a part of `keys` keys begins (piece = pieces: ends); `pieces` is SORT_PIECES or 1. */
size_t sort_piece_begin(size_t keys, size_t pieces, size_t piece);

/* For rung->scratch: three times the bytes of the share. */
size_t runs_scratch(const struct problem *problem, size_t index, size_t count);

/* For rung->work where the keys are sorted twice. Merges are not counted: the links hide them. */
double runs_work_again(const struct problem *problem, size_t count);

/* rung->way: what makes one run of several. */
enum runs_joined {
    RUNS_SORTED_AGAIN,
    RUNS_MERGED,          /* piece by piece: the next ones travel meanwhile */
    RUNS_MERGED_IN_PLACE, /* the first merge reads them where they lie, also in a peer's memory */
};

/* For rung->prepare; runs_finish and runs_enqueue are the rung's finish and enqueue. */
enum status runs_prepare(struct device_run *run, struct error *error);
void runs_finish(struct device_run *run);
enum status runs_enqueue(struct device_run *run, struct error *error);
