/* Verifies and times one method on one problem. */
#ifndef USKOR_DISTRIBUTED_RANKS_MEASURE_H
#define USKOR_DISTRIBUTED_RANKS_MEASURE_H

#include "base/sha256.h"
#include "base/statistics.h"
#include "distributed/ranks/method.h"

#define DISTRIBUTED_SAMPLES_MAX 101

struct timing {
    double seconds; /* that the timed runs may take, about */
    uint32_t seed;  /* of their inputs, on rank 0: the same for groups whose results are to be compared */
};

/* What a method did, the same on every rank but `reason`, which is rank 0's. */
struct distributed_result {
    enum status verdict; /* STATUS_OK: right; STATUS_FAILED: wrong; STATUS_UNAVAILABLE: it cannot run; else: an error */
    char reason[512];
    struct summary time; /* nanoseconds, of the slowest rank of each run */
    double samples[DISTRIBUTED_SAMPLES_MAX];
    double communication;         /* the part of the median run that the slowest rank spent in MPI, 0 … 1 */
    uint8_t digest[SHA256_BYTES]; /* rank 0's: of the result of the timed runs */
    double worst;                 /* the check's */
    char where[64];
};

/* Collective over `ranks`. Rank 0 makes the inputs, and deals them out; it collects the results, and judges every
 * element with the kernel's own check: of a run before the timed ones, with inputs that nobody can foresee, and of the
 * last timed one. So the whole problem must fit in rank 0's memory. Returns the same status on all ranks; what is wrong
 * with the method is in `result`, not an error. */
enum status distributed_measure(const struct method *method, const struct problem *problem, const struct ranks *ranks,
                                struct device *device, const struct timing *timing, struct distributed_result *result,
                                struct error *error);

#endif
