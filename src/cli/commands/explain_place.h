/* What `uskor explain` was asked: targets by name, and what the store knows of them. */
#pragma once

#include "explain/explain.h"
#include "store/ceiling.h"
#include "store/store.h"

/* A target, and the device of this machine that it is; NULL: it is not here. */
struct explain_place {
    struct explain_target target;
    struct device *device;
};

/* "cuda:0", "cpu", "this-cpu" open a device of this machine; everything else is an architecture or a GPU's published
 * name. The caller closes it. */
enum status explain_place_open(const char *name, struct explain_place *place, struct error *error);
/* Without a name, for device rungs: the first CUDA device, or Hopper where there is none. */
enum status explain_place_default(struct explain_place *place, struct error *error);
void explain_place_close(struct explain_place *place);

/* Of a device of this machine: its stored ceilings take the place of the published ones. `store` NULL: none. */
enum status explain_place_measured(struct store *store, struct explain_place *place, struct error *error);

/* A ceiling that was measured (`uskor ceilings`) takes the place of the published one that it is; kinds that the model
 * does not know are passed over. */
void explain_take_ceiling(struct explain_target *target, enum ceiling_kind kind, double rate);

/* The newest median of the kernel's time of this rung with these parameters there; 0: none is stored. */
enum status explain_measured_ns(struct store *store, const struct explain_place *place, const struct problem *problem,
                                const struct rung *rung, const struct parameters *parameters, double *ns,
                                struct error *error);
