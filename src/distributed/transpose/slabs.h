/* Each device turns its slab of rows by its best local rung, whole or in pieces; the pieces of the turned slab are then
 * rectangles of other devices' outputs, and a carrier brings them there. */
#ifndef USKOR_DISTRIBUTED_TRANSPOSE_SLABS_H
#define USKOR_DISTRIBUTED_TRANSPOSE_SLABS_H

#include "distributed/carrier.h"

/* rung->scratch: the turned slab; and of slabs_scratch_twice as much again as the output's share. */
size_t slabs_scratch(const struct problem *problem, size_t index, size_t count);
size_t slabs_scratch_twice(const struct problem *problem, size_t index, size_t count);

/* For rung->prepare: makes run->state, with each slab in at most `pieces` pieces. */
enum status slabs_prepare(struct device_run *run, enum carrier_kind kind, size_t pieces, struct error *error);
void slabs_finish(struct device_run *run);
/* rung->enqueue. */
enum status slabs_enqueue(struct device_run *run, struct error *error);

#endif
