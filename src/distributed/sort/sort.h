/* The sort on several devices. Each sorts its share. The sorted shares are split so that each device receives exactly
 * the keys of its share of the result. The received runs are then merged or sorted. */
#ifndef USKOR_DISTRIBUTED_SORT_SORT_H
#define USKOR_DISTRIBUTED_SORT_SORT_H

#include "distributed/carrier.h"

#define SORT_BLOCK 1024 /* elements are distributed in multiples of it */

/* The first element of device `index` of `count`. */
size_t keys_begin(const struct problem *problem, size_t count, size_t index);

/* For rung->scratch: twice the bytes of the share, and the splits. */
size_t runs_scratch(const struct problem *problem, size_t index, size_t count);

/* What makes one run of several. */
enum runs_joined {
    RUNS_SORTED_AGAIN,
    RUNS_MERGED,          /* once they are here */
    RUNS_MERGED_IN_PLACE, /* the first merge reads them where they lie, also in a peer's memory */
};

/* For rung->prepare; runs_finish and runs_enqueue are the rung's finish and enqueue. */
enum status runs_prepare(struct device_run *run, enum carrier_kind kind, enum runs_joined joined, struct error *error);
void runs_finish(struct device_run *run);
enum status runs_enqueue(struct device_run *run, struct error *error);

#endif
