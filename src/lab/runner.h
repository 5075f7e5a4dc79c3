/* One contender at work: prepared, verified, timed. Every rung, ours, a vendor's, a user's or a limit's probe, goes
 * through these functions and no others. */
#ifndef USKOR_LAB_RUNNER_H
#define USKOR_LAB_RUNNER_H

#include "lab/contender.h"
#include "lab/workspace.h"
#include "store/measurement.h"

/* Outputs are filled with a different byte before and after the timing, so that no answer can be left over. 0xFF makes
 * NaNs of floats. */
#define POISON_BEFORE 0xFF
#define POISON_AFTER 0xFE

struct runner {
    struct contender contender;
    struct workspace *workspace;
    struct run run;
    bool prepared;
    bool is_limit;
    size_t measurement; /* index into the bench's list */
    struct mark *from, *to;
    double estimate; /* ns of one run, from the warm-up */
    unsigned batch;
    double spent; /* ns on the clock so far */
    bool active;
    bool finished;        /* its measurement has been handed over for good */
    bool has_fingerprint; /* of kernels whose rungs must repeat themselves bit by bit: the outputs of the run before */
    uint64_t fingerprint;
};

/* Scratch, then the rung's own prepare. */
enum status runner_prepare(struct runner *runner, struct workspace *workspace, const struct contender *contender,
                           struct error *error);
void runner_finish(struct runner *runner);

/* Poisons, runs once, and judges every element, canaries and (when `inputs`) the inputs. STATUS_OK or STATUS_FAILED
 * with `result` filled in; other statuses: it could not be run. */
enum status runner_verify(struct runner *runner, unsigned char poison, bool inputs, struct check_result *result,
                          struct error *error);

/* Runs untimed until the clocks are up, and chooses how many runs one sample is the mean of. */
enum status runner_warm_up(struct runner *runner, bool cold, struct error *error);

/* One sample: nanoseconds of one run. */
enum status runner_sample(struct runner *runner, bool cold, double *nanoseconds, struct error *error);

/* Host memory to host memory: the times of the three parts, by the host's clock. On the cpu nothing is transferred. */
enum status runner_whole(struct runner *runner, double nanoseconds[PHASE_COUNT], struct error *error);

#endif
