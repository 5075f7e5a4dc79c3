/* Which rung serves a problem on a device, for whoever wants the answer and not the ladder.
 *
 * The policy. Asked in this order, and the first rung wins that is of the right kind (a host rung on the cpu, a device
 * rung elsewhere; libraries of others are never substituted) and that does not refuse (rung_refuses):
 *
 *   1. the kernel's own rule, where it has one (kernel->choose);
 *   2. what rungs cost where they were measured on this kind of device (rung_costs.def, made from results/): the rungs
 * of the nearest measured problem, fastest first, then those of the next nearest. Near is: rows that are whole words of
 *      8 bytes or are not, as here; elements of the same size; the same options; sides of about the same length. A CUDA
 *      device has its own kind, OpenCL on a GPU, OpenCL on a CPU and the CPU have theirs. Either of the first two takes
 *      the other's measurements after its own, the last two take no other's;
 *   3. the ladder from its last row to its first.
 *
 * Then a rung that was measured on this very device on exactly this problem, faster than the one found, which was
 * measured there too, takes its place.
 *
 * Precision is not part of the choice: the check holds every rung of a ladder to the accuracy of the problem's type. */
#ifndef USKOR_KERNELS_CHOOSE_RUNG_H
#define USKOR_KERNELS_CHOOSE_RUNG_H

#include "kernels/kernel.h"

struct rung_choice {
    const struct rung *rung;
    struct parameters parameters; /* the rung's defaults for the problem */
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

#endif
