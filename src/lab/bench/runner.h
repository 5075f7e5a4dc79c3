/* One candidate at work: prepared, verified, timed. Every rung, ours, a vendor's, a user's or a ceiling's probe, goes
 * through these functions and no others. */
#ifndef USKOR_LAB_BENCH_RUNNER_H
#define USKOR_LAB_BENCH_RUNNER_H

#include "kernels/prepared_run.h"
#include "lab/bench/candidate.h"
#include "lab/verification/workspace.h"
#include "store/measurement.h"

struct runner {
    struct candidate candidate;
    struct workspace *workspace;
    struct prepared_run prepared;
    bool is_probe;
    size_t measurement; /* index into the bench's list */
    struct event *from, *to;
    double estimate; /* ns of one run, from the warm-up */
    unsigned batch;
    double spent; /* ns on the clock so far */
    bool active;
    bool finished; /* its measurement has been handed over for good */

    unsigned samples, fallbacks; /* samples looked at, and those that the rung's slower means computed */

    double check_ns;         /* what it takes to check one run in full, as last seen */
    double audited, visited; /* ns spent on audits; and in all its turns, audits apart */
    bool is_disturbed;       /* caches and threads are not as the last run left them */
    bool unchecked;          /* it ran, and nobody has looked in full since */
};

/* On the workspace's memory, with scratch as the rung asks for. */
enum status runner_prepare(struct runner *runner, struct workspace *workspace, const struct candidate *candidate,
                           struct error *error);
void runner_finish(struct runner *runner);

/* Brings the dataset's inputs anew, poisons outputs and scratch with a byte that nobody can foresee, runs once, and
 * judges (runner_judge); a kernel whose rungs must repeat themselves bit by bit is run twice. */
enum status runner_verify(struct runner *runner, struct check_result *result, struct error *error);

/* Around a turn of the runner's: notes the process as it is, and compares it afterwards (process_state.h), where the
 * turn itself has `status` STATUS_OK; otherwise that and its error remain. Nothing for a probe. */
void runner_begin_turn(const struct runner *runner);
enum status runner_end_turn(const struct runner *runner, enum status status, struct error *error);

/* Judges what the last run left: every element of the outputs, canaries, inputs, and the floating-point environment of
 * all threads. STATUS_OK or STATUS_FAILED with `result` filled in; other statuses: it could not be looked at. After a
 * failure the workspace is repaired before the next run. */
enum status runner_judge(struct runner *runner, struct check_result *result, struct error *error);

/* Canaries, where looking at them costs next to nothing; `in_full` on every device, and the floating-point environment
 * and the inputs too: so that what this rung did is not laid at the next one's door. */
enum status runner_settle(struct runner *runner, bool in_full, struct error *error);

/* Runs untimed until the clocks are up, and chooses how many runs one sample is the mean of. */
enum status runner_warm_up(struct runner *runner, bool cold, struct error *error);

/* One sample: nanoseconds of one run. Before it pieces of inputs and outputs change (workspace_refresh), off the clock;
 * a batch on the host has a first run off the clock, and lines change between two of the others (line_change), on it.
 */
enum status runner_sample(struct runner *runner, bool cold, double *nanoseconds, struct error *error);

/* The same with a line of each array changed before every run of the batch. Where workspace_changes_lines. */
enum status runner_sample_changing(struct runner *runner, double *nanoseconds, struct error *error);

/* Host memory to host memory: the times of the three parts, by the host's clock. On the cpu nothing is transferred. */
enum status runner_end_to_end(struct runner *runner, double nanoseconds[PHASE_COUNT], struct error *error);

/* Writes, behind what the rung told of itself, how often it fell back ("fell back in 3 of 40 samples"), where it says
 * so (rung.fell_back). */
void runner_tell_fallbacks(const struct runner *runner, char *detail, size_t size);

/* Enqueues the rung once, and waits. */
enum status runner_run(struct runner *runner, struct error *error);

#endif
