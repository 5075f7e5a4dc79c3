/* Effects: small kernels with one parameter each. The parameter changes how the same work is done, so the time shows
 * one effect of the hardware. An effect is one file here, its kernel files beside it, and one row of effects.def. Its
 * result must not depend on the parameter: the lab verifies it like any kernel's. */
#pragma once

#include "kernels/kernel.h"

/* Bounds of an effect's size. The minimum fits every parameter's groups, the maximum 32-bit indices. */
#define EFFECT_SIZE_LEAST ((int64_t)1 << 14)
#define EFFECT_SIZE_MOST ((int64_t)1 << 28)

struct effect {
    const char *name;      /* "bank-conflicts" */
    const char *title;     /* one line, translated when shown, as are the next two */
    const char *lesson;    /* two or three sentences */
    const char *axis;      /* the quantity that the parameter counts */
    const char *parameter; /* the tunable that every rung of the kernel has; for transfers: "BYTES" */
    /* The kernel: its rungs are the series, each measured at every value of the parameter. Its problems have one size,
     * "n". NULL: transfers of the parameter's bytes between host and device are timed (lab/transfers/bandwidth.h). */
    const struct kernel *kernel;
    int64_t size;     /* the problem's size on a GPU, or for CPU rungs: a power of two */
    int64_t size_cpu; /* … for OpenCL on a CPU */
    /* Times are shown divided by so many steps, one waiting for another, on a GPU and on the cpu; 0: whole. */
    int64_t steps, steps_cpu;
    bool is_not_predicted; /* the model does not know what it shows */
};

/* In teaching order, NULL-terminated. */
extern const struct effect *const effects[];

/* Returns the effect of that name; NULL, with the closest name in `error`, when there is none. */
const struct effect *effect_by_name(const char *name, struct error *error);

/* Makes the effect's problem of that size; 0: the device's default. The effect must have a kernel. STATUS_INVALID when
 * the size is not a power of two from EFFECT_SIZE_LEAST to EFFECT_SIZE_MOST. */
enum status effect_problem(const struct effect *effect, const struct device *device, int64_t size,
                           struct problem *problem, struct error *error);

/* Sets *runs when a rung of the effect belongs to the device's backend. STATUS_FAILED: a kernel file's header is wrong.
 */
enum status effect_runs_on(const struct effect *effect, const struct device *device, bool *runs, struct error *error);

/* Writes the values of the effect's parameter that the rung offers, ascending, to `values`; returns their number. */
size_t effect_values(const struct effect *effect, const struct rung *rung, int64_t values[TUNABLE_VALUES_MAX]);

/* The rung's defaults with the effect's parameter set to `value`, which the rung must offer. */
enum status effect_parameters(const struct effect *effect, const struct rung *rung, const struct problem *problem,
                              int64_t value, struct parameters *parameters, struct error *error);
