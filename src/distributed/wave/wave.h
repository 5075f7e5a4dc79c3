/* The wave equation on several devices: slabs along z. A device needs `reach` planes of each neighbour's fields for all
 * steps of the problem at once: after s steps the outermost 2·s planes of what it has are spoiled, and no more. So it
 * runs its best local rung twice: over its own slab, whose outer planes come out wrong, and over its rims, three times
 * `reach` planes around each end, whose middle thirds replace those. Both rims are one problem: where one ends and the
 * other begins, only planes are spoiled that nobody wants. */
#ifndef USKOR_DISTRIBUTED_WAVE_WAVE_H
#define USKOR_DISTRIBUTED_WAVE_WAVE_H

#include "distributed/carrier.h"

struct slab_shape {
    size_t plane; /* bytes */
    size_t nz, reach;
};

struct slab_shape slab_shape_of(const struct problem *problem);
/* The first plane of device `index` of `count`. */
size_t slab_begin(const struct problem *problem, size_t count, size_t index);

/* rung->scratch: three fields of six times `reach` planes. */
size_t halo_scratch(const struct problem *problem, size_t index, size_t count);

/* For rung->prepare. `hides`: the halos travel while the slabs are computed, and the rims go before what is left of the
 * slabs; else all in turn. halo_finish and halo_enqueue
 * are the rung's finish and enqueue. */
enum status halo_prepare(struct device_run *run, enum carrier_kind kind, bool hides, struct error *error);
void halo_finish(struct device_run *run);
enum status halo_enqueue(struct device_run *run, struct error *error);

#endif
