/* Effects (row E7): small kernels, each with one parameter that changes how the same work is done, so that its time
 * shows one effect of the hardware and nothing else. An effect is one file here, its kernel files beside it, and one
 * row of effects.def. Whatever the parameter is, the result must be the same: the lab verifies it like any kernel's. */
#ifndef USKOR_EXPLAIN_EFFECTS_EFFECTS_H
#define USKOR_EXPLAIN_EFFECTS_EFFECTS_H

#include "kernels/kernel.h"

/* Least and most of an effect's size: every parameter's groups fit the former, 32-bit indices the latter. */
#define EFFECT_SIZE_LEAST ((int64_t)1 << 14)
#define EFFECT_SIZE_MOST ((int64_t)1 << 28)

struct effect {
    const char *name;      /* "bank-conflicts" */
    const char *title;     /* one line, translated when shown, as are the next two */
    const char *lesson;    /* two sentences */
    const char *axis;      /* what the parameter counts */
    const char *parameter; /* the tunable that every rung of the kernel has; for transfers: "BYTES" */
    /* What runs: its rungs are the series, each at every value of the parameter. Its problems have one size, "n".
     * NULL: transfers between host and device are timed (lab/transfers/bandwidth.h), of the parameter's bytes. */
    const struct kernel *kernel;
    int64_t size;     /* of the problem on a GPU, or of a CPU's rungs: a power of two */
    int64_t size_cpu; /* … for OpenCL on a CPU */
};

/* In teaching order, NULL-terminated. */
extern const struct effect *const effects[];

/* By name; NULL, and a message with the closest match, when there is none. */
const struct effect *effect_by_name(const char *name, struct error *error);

/* The effect's problem of that size; 0: the default for the device. STATUS_INVALID: the size is not a power of two from
 * EFFECT_SIZE_LEAST to EFFECT_SIZE_MOST. The effect has a kernel. */
enum status effect_problem(const struct effect *effect, const struct device *device, int64_t size,
                           struct problem *problem, struct error *error);

/* Whether some rung of the effect belongs to the device's backend. STATUS_FAILED: a kernel file's header is wrong. */
enum status effect_runs_on(const struct effect *effect, const struct device *device, bool *runs, struct error *error);

/* The values of the effect's parameter that the rung takes, in ascending order, into `values`; returns their number. */

size_t effect_values(const struct effect *effect, const struct rung *rung, int64_t values[TUNABLE_VALUES_MAX]);

/* The rung's defaults with the effect's parameter at `value`, which the rung takes. */
enum status effect_parameters(const struct effect *effect, const struct rung *rung, const struct problem *problem,
                              int64_t value, struct parameters *parameters, struct error *error);

#endif
