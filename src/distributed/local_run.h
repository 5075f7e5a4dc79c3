/* One device's part of a problem, solved by the rung that serves it best there (kernels/choose_rung.h): what rungs over
 * devices are made of. */
#ifndef USKOR_DISTRIBUTED_LOCAL_RUN_H
#define USKOR_DISTRIBUTED_LOCAL_RUN_H

#include "kernels/prepared_run.h"

/* A zeroed one is empty. */
struct local_run {
    struct problem problem;
    struct array arrays[KERNEL_ARRAYS_MAX];
    int array_count;
    struct buffer buffers[KERNEL_ARRAYS_MAX]; /* views; the caller's memory */
    struct buffer scratch;                    /* its own */
    struct prepared_run prepared;
    double bound; /* of the error, as the rung states it; 0: nothing */
};

/* Chooses the rung, allocates its scratch memory and prepares it. `buffers` (one per array) are copied and stay the
 * caller's. Must not move while it lives. Finished by the caller, on failure too. */
enum status local_run_make(struct local_run *run, const struct problem *problem, struct device *device,
                           const struct buffer *buffers, struct error *error);
void local_run_finish(struct local_run *run);

/* Enqueues in the device's selected queue; does nothing for an empty one. */
enum status local_run_enqueue(struct local_run *run, struct error *error);

#endif
