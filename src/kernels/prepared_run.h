/* One rung made ready for one problem on one device: the only way to run a rung, for lab and library alike. Memory is
 * the caller's, the clock too: arrays and scratch are given, nothing here is allocated but what the rung's own prepare
 * makes (programs, handles).
 *
 *   struct prepared_run prepared;
 *   prepared_run_plan(&prepared, rung, &problem, device, &parameters, error);     prepared.scratch_bytes is known
 *   prepared_run_make(&prepared, arrays, array_count, buffers, &scratch, error);  compiles, opens libraries
 *   prepared_run_enqueue(&prepared, error); device_synchronize(device, error);    as often as wanted
 *   prepared_run_finish(&prepared); */
#pragma once

#include "kernels/kernel.h"

/* A zeroed one is empty: it can be finished, and not enqueued. */
struct prepared_run {
    struct run run;
    size_t scratch_bytes; /* of scratch memory that the rung needs; 0: none */
    bool is_prepared;
};

/* Says what is to run and how much scratch memory it needs. Whether the rung can run there is the caller's to have
 * asked (rung_refuses, choose_rung). Rung, problem and device must outlive it; the parameters are copied. */
enum status prepared_run_plan(struct prepared_run *prepared, const struct rung *rung, const struct problem *problem,
                              struct device *device, const struct parameters *parameters, struct error *error);

/* The rung's own prepare, on this memory: `buffers` has one buffer per array, in the order of `arrays`; `scratch` has
 * at least scratch_bytes, and may be NULL when that is 0. All must outlive it; what the buffers hold, and where the
 * cpu's lie, may change between two runs. After a failure there is nothing to finish. */
enum status prepared_run_make(struct prepared_run *prepared, const struct array *arrays, int array_count,
                              const struct buffer *buffers, const struct buffer *scratch, struct error *error);

/* The same run on other buffers, of the same sizes. */
static inline void prepared_run_use(struct prepared_run *prepared, const struct buffer *buffers)
{
    prepared->run.buffers = buffers;
}

/* On a device it enqueues in the selected queue and may return before the work is done; on the cpu it does the work.
 * This is what the lab's clock is read around. */
static inline enum status prepared_run_enqueue(struct prepared_run *prepared, struct error *error)
{
    return prepared->run.rung->enqueue(&prepared->run, error);
}

/* Enqueues once, and waits for the device. */
enum status prepared_run_run(struct prepared_run *prepared, struct error *error);

/* Gives back what prepare made. Twice does no harm; the memory stays the caller's. */
void prepared_run_finish(struct prepared_run *prepared);
