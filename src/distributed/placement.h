/* The memory of one distributed problem: each device's share of each array between canaries, and scratch. */
#ifndef USKOR_DISTRIBUTED_PLACEMENT_H
#define USKOR_DISTRIBUTED_PLACEMENT_H

#include "distributed/ladder.h"
#include "lab/verification/bulk_copy.h"
#include "lab/verification/canaries.h"
#include "lab/verification/dataset.h"

struct placement {
    const struct device_ladder *ladder;
    const struct device_group *group;
    struct dataset *data;
    struct guarded arrays[GROUP_MAX][KERNEL_ARRAYS_MAX];
    struct buffer pristine[GROUP_MAX][KERNEL_ARRAYS_MAX]; /* of what runs change */
    struct guarded scratch[GROUP_MAX];
    struct bulk_copy bulk[GROUP_MAX];
};

/* Allocates the shares and writes the inputs. Destroyed by the caller, on failure too. */
enum status placement_create(const struct device_ladder *ladder, const struct device_group *group, struct dataset *data,
                             struct placement *placement, struct error *error);
void placement_destroy(struct placement *placement);

/* Scratch as the rung asks for; and the run's view of all this. */
enum status placement_prepare(struct placement *placement, const struct device_rung *rung, struct device_run *run,
                              struct error *error);

/* Brings the dataset's inputs to the devices. */
enum status placement_upload(struct placement *placement, struct error *error);
/* Restores what runs change, from copies on the devices. */
enum status placement_restore(struct placement *placement, struct error *error);
/* Fills outputs and scratch with a byte that nobody can foresee, and restores. */
enum status placement_poison(struct placement *placement, struct error *error);
/* Brings the outputs to the dataset, and judges: every element, the canaries, and that the inputs are as they were.
 * STATUS_FAILED with the reason. */
enum status placement_judge(struct placement *placement, double bound, double *worst, struct error *error);

#endif
