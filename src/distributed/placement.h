/* The memory of one distributed problem: each device's share of each array between canaries, and scratch. */
#pragma once

#include "distributed/ladder.h"
#include "lab/verification/bulk_copy.h"
#include "lab/verification/canaries.h"
#include "lab/verification/dataset.h"

struct placement {
    const struct device_ladder *ladder;
    const struct device_group *group;
    struct dataset *data;
    struct guarded arrays[GROUP_MAX][KERNEL_ARRAYS_MAX];
    struct buffer pristine[GROUP_MAX][KERNEL_ARRAYS_MAX]; /* copies of arrays that runs change */
    struct guarded scratch[GROUP_MAX];
    struct bulk_copy bulk[GROUP_MAX];
};

/* Allocates the shares and writes the inputs. The caller destroys the placement, on failure too. */
enum status placement_create(const struct device_ladder *ladder, const struct device_group *group, struct dataset *data,
                             struct placement *placement, struct error *error);
void placement_destroy(struct placement *placement);

/* Allocates the scratch that the rung asks for, and fills in the run's view of the placement. */
enum status placement_prepare(struct placement *placement, const struct device_rung *rung, struct device_run *run,
                              struct error *error);

/* Copies the dataset's inputs to the devices. */
enum status placement_upload(struct placement *placement, struct error *error);
/* Restores the arrays that runs change, from copies on the devices. */
enum status placement_restore(struct placement *placement, struct error *error);
/* Fills outputs and scratch with an unpredictable byte, and restores. */
enum status placement_poison(struct placement *placement, struct error *error);
/* Copies the outputs to the dataset and judges them: every element, the canaries, and that the inputs are unchanged.
 * STATUS_FAILED with the reason. */
enum status placement_judge(struct placement *placement, double bound, double *worst, struct error *error);
