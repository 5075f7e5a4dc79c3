/* The state that most rungs over devices have: what carries their bytes, and each device's own part of the problem. */
#pragma once

#include "distributed/carrier.h"
#include "distributed/local_run.h"

/* The state of such a rung begins with it. */
struct carried {
    struct carrier carrier;
    struct local_run local[GROUP_MAX];
    struct buffer views[GROUP_MAX];      /* of the device's memory, where the rung has such */
    struct program *programs[GROUP_MAX]; /* the rung's own */
};

/* For rung->prepare. Makes run->state, zeroed, of `state_bytes` (a struct that begins with a struct carried), and the
 * carrier. */
enum status carried_begin(struct device_run *run, size_t state_bytes, struct error *error);

/* Makes a local run on device `index`: carried->local[index], or one of the rung's own. run->detail names its rung. */
enum status carried_local(struct device_run *run, size_t index, const struct problem *problem,
                          const struct buffer *buffers, const struct local_setting *setting, struct local_run *local,
                          struct error *error);

/* For rung->finish, also after a failure: releases all of it, and run->state. What else the state owns is released
 * before. Without a state it does nothing. */
void carried_end(struct device_run *run);
