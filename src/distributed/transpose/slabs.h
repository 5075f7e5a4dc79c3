/* Each device transposes its slab of rows by the best local rung. Parts of the transposed slab are rectangles of other
 * devices' outputs; a carrier copies them there. */
#ifndef USKOR_DISTRIBUTED_TRANSPOSE_SLABS_H
#define USKOR_DISTRIBUTED_TRANSPOSE_SLABS_H

#include "distributed/carrier.h"

/* For rung->scratch: the transposed slab; slabs_scratch_twice adds the size of the output's share. */
size_t slabs_scratch(const struct problem *problem, size_t index, size_t count);
size_t slabs_scratch_twice(const struct problem *problem, size_t index, size_t count);

/* For rung->work: the slab is transposed, then all of it is copied once. */
double slabs_work(const struct problem *problem, size_t count);

/* For rung->prepare: makes run->state. */
enum status slabs_prepare(struct device_run *run, struct error *error);
void slabs_finish(struct device_run *run);
/* For rung->enqueue. */
enum status slabs_enqueue(struct device_run *run, struct error *error);

#endif
