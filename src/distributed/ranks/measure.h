/* Verifies and times one method on one problem. */
#pragma once

#include "base/sha256.h"
#include "base/statistics.h"
#include "distributed/ranks/method.h"

#define DISTRIBUTED_SAMPLES_MAX 1001

struct timing {
    double seconds; /* approximate seconds of the timed runs */
    size_t samples; /* at least so many; 0: five */
    bool in_parts;  /* no rank holds the whole problem: each makes, and judges, its own part */
    uint32_t seed;  /* of their inputs, on rank 0; equal for groups whose results are compared */
};

/* A method's result. It is the same on every rank, except `reason`, which only rank 0 has. */
struct distributed_result {
    /* STATUS_OK: right; STATUS_FAILED: wrong; STATUS_UNAVAILABLE: cannot run; otherwise an error. */
    enum status verdict;
    char reason[512];
    struct summary time; /* ns, of the slowest rank in each run */
    double samples[DISTRIBUTED_SAMPLES_MAX];
    double communication;         /* fraction of the median run that the slowest rank spent in MPI, 0 … 1 */
    double sent;                  /* bytes that a rank sends in a run, at most */
    double parts;                 /* ns: median of runs in which nothing travels; 0: there were none */
    uint8_t digest[SHA256_BYTES]; /* on rank 0: of the timed runs' result */
    double worst;                 /* the check's */
    char where[64];
};

/* Collective over `ranks`. Rank 0 makes the inputs, distributes them, collects the results, and judges every element by
 * the kernel's own check. It judges a run on unpredictable inputs before the timing, and the last timed run. So the
 * whole problem must fit rank 0's memory.
 *
 * Returns: the same status on all ranks. A fault of the method is in `result`, not an error. */
enum status distributed_measure(const struct method *method, const struct problem *problem, const struct ranks *ranks,
                                struct device *device, const struct timing *timing, struct distributed_result *result,
                                struct error *error);
