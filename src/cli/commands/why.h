/* --why: one generated line for each device rung, what changed from the rung before it and what binds it, and beside
 * what the model recommends the measured rung that does it. */
#pragma once

#include <stdio.h>

#include "kernels/kernel.h"
#include "lab/bench/candidate.h"
#include "report/terminal/report.h"
#include "store/measurement.h"

struct why_request {
    const struct problem *problem;
    const struct overrides *overrides; /* of the rungs' parameters; NULL: none */
    struct device *device; /* explained for; one that the model does not know, or NULL: for the first CUDA device, or
                              sm_90 */
    const struct measurement_list *list; /* that has the device's measurements of the problem: its rungs are explained;
                                            NULL: all device rungs of the kernel */
    const char *store_name;              /* of the ceilings; NULL: the default */
};

/* Prints the lines; nothing where there is no device rung. */
enum status why_print(FILE *stream, const struct why_request *request, struct style style, struct error *error);
