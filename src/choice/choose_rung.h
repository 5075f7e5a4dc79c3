/* Which rung serves a problem on a device, for whoever wants the answer and not the ladder.
 *
 * The policy. Asked in this order, and the first rung wins that is of the right kind (a host rung on the cpu, a device
 * rung elsewhere; libraries of others are never substituted) and that does not refuse (rung_refuses):
 *
 *   1. the kernel's own rule, where it has one (kernel->choose);
 *   2. what rungs cost where they were measured on this device, or else on others of its kind: the tuned files
 *      (choice/tuned.h, choice/predict.h), the fastest first. CUDA, OpenCL on a GPU, OpenCL on a CPU and the CPU are
 *      kinds; the first takes the second's measurements after its own, the second the first's of its GPU among its own;
 *   3. the ladder from its last row to its first.
 *
 * Where the shipped lines alone choose another rung than all lines do, it is taken unless the user's own lines bear out
 * the difference (predict_is_borne_out).
 *
 * Then a rung that was measured on this very device on exactly this problem, faster than the one found, which was
 * measured there too, takes its place.
 *
 * Precision is not part of the choice: the check holds every rung of a ladder to the accuracy of the problem's type. */
#pragma once

#include "choice/predict.h"

struct rung_choice {
    const struct rung *rung;
    struct parameters parameters; /* as measured near by, on this device; else the rung's defaults for the problem */
};

/* Measured on this device, from the caller (lab/bench/stored_times.h reads them from the store): nanoseconds of one run
 * of the rung with its default parameters; 0 where that is not known. */
struct rung_times {
    double (*nanoseconds)(void *context, const struct problem *problem, const struct device *device,
                          const struct rung *rung);
    void *context;
};

/* `times` may be NULL. STATUS_UNAVAILABLE, with a rung's reason, when every rung refuses. */
enum status choose_rung(const struct problem *problem, const struct device *device, const struct rung_times *times,
                        struct rung_choice *choice, struct error *error);

/* As choose_rung without times, but as for one thread of the cpu: another number of threads gives no other rung. */
enum status choose_rung_for_any_threads(const struct problem *problem, const struct device *device,
                                        struct rung_choice *choice, struct error *error);

/* The rungs that run the problem on the device and whose times are predicted (choice/predict.h), fastest first, at most
 * `most` of them; returns how many. */
size_t choose_predictions(const struct problem *problem, const struct device *device, struct prediction *predictions,
                          size_t most);
