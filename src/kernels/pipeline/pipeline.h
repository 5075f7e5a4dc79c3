/* Shared by the files of the pipeline: a rung of the pipeline is a rung of sort, run twice, and a rung of dot. */
#pragma once

#include "kernels/kernel.h"

/* The pipeline's arrays, in order. */
enum { PIPELINE_A, PIPELINE_B, PIPELINE_RESULT, PIPELINE_ARRAYS };

/* The rungs that a rung of the pipeline consists of. Names are tried in order until one does not refuse: a top rung may
 * need CUDA. */
struct pipeline_parts {
    const char *sorts[4]; /* NULL-terminated */
    const char *dot;
};

/* The values of the field "input". */
enum pipeline_input {
    PIPELINE_UNIT,     /* uniform in [0, 1) from a Mersenne Twister: the publication's */
    PIPELINE_INTEGERS, /* few distinct ones and some long ones: every partial sum of the sorted products is exact */
    PIPELINE_SIGNED,   /* uniform in [-1, 1) */
    PIPELINE_WIDE,     /* from subnormal keys to 2^40, of both signs, with both zeros and keys that occur often */
};

/* kernel->fill and kernel->check (check.c). */
void pipeline_fill(const struct problem *problem, const struct array *arrays, struct host_arrays host);
void pipeline_check(const struct problem *problem, const struct array *arrays, struct host_arrays input,
                    struct host_arrays output, struct check_result *result);

/* kernel->split (split.c). */
const char *pipeline_split(const struct problem *problem, size_t index, size_t count, struct job_part *part,
                           char *reason, size_t size);
