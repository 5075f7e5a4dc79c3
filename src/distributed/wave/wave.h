/* The wave equation on several devices: slabs along z. A device needs `reach` planes of each neighbour's fields for all
 * steps of the problem at once: after s steps, the outermost 2·s planes of its data are invalid. So it runs its best
 * local rung three times. One run covers its own slab, whose outer planes come out wrong. Two runs cover 3 · `reach`
 * planes around each end; their middle third replaces those planes. */
#pragma once

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

/* For rung->work: the slab, and the rims. */
double halo_work(const struct problem *problem, size_t count);

/* For rung->prepare. The halos travel while the slabs are computed where rung->overlaps; otherwise before. halo_finish
 * and halo_enqueue are the rung's finish and enqueue. */
enum status halo_prepare(struct device_run *run, struct error *error);
void halo_finish(struct device_run *run);
enum status halo_enqueue(struct device_run *run, struct error *error);
