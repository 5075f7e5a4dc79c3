/* Prepares, verifies and times one candidate. Every rung takes this path and no other: ours, a vendor's, a user's, or a
 * ceiling's probe. */
#pragma once

#include "kernels/prepared_run.h"
#include "lab/bench/candidate.h"
#include "lab/bench/run_counts.h"
#include "lab/verification/fetch.h"
#include "lab/verification/workspace.h"
#include "store/measurement.h"

struct runner {
    struct candidate candidate;
    struct workspace *workspace;
    struct prepared_run prepared;
    bool is_probe;
    bool is_rough;      /* its time decides only which rungs are near each other */
    size_t measurement; /* index into the bench's list */
    struct event *from, *to;
    double estimate; /* ns of one run, from the warm-up */
    unsigned batch;
    double spent; /* timed ns so far */
    bool active;
    bool finished; /* the final `finished` call was made */

    unsigned samples, fallbacks; /* samples that were asked, and those computed by the rung's slower fallback */

    struct run_counts counts;
    double processor; /* ns of CPU time of one run of the last sample, or of the last call on fresh inputs */

    double fresh_least; /* ns of the fastest call on fresh inputs (lab/verification/fresh_calls.h); 0: none was made */
    unsigned fresh_count;     /* such calls */
    struct fetch_times fetch; /* what they may take longer, as their arrays come from farther away */

    double check_ns;         /* ns of the last full check */
    double audited, visited; /* ns spent on audits; ns of all its turns without audits */
    double waited;           /* ns before its turns, until other runtimes' threads rested */
    bool is_disturbed;       /* caches and threads are not in the state that a run leaves */
    bool unchecked;          /* it ran since the last full check */
};

/* Prepares the candidate on the workspace's memory, with the scratch that the rung asks for. The workspace is borrowed
 * and must outlive the runner. On failure nothing needs to be freed; runner_finish is allowed. */
enum status runner_prepare(struct runner *runner, struct workspace *workspace, const struct candidate *candidate,
                           struct error *error);
void runner_finish(struct runner *runner);

/* Restores the dataset's inputs, poisons outputs and scratch with an unpredictable byte, runs once, and judges the
 * result (runner_judge). Where a kernel demands bitwise repeatability, a second run must give the same bits. */
enum status runner_verify(struct runner *runner, struct check_result *result, struct error *error);

/* The start and the end of a runner's turn. The start records the process state; the end compares it (process_state.h).
 * An error of the turn itself (`status`) takes precedence and is returned unchanged. Neither does anything for a probe.
 */
void runner_begin_turn(const struct runner *runner);
enum status runner_end_turn(const struct runner *runner, enum status status, struct error *error);

/* Judges the last run: every element of the outputs, canaries, inputs, and the floating-point environment of all
 * threads.
 *
 * Returns: STATUS_OK or STATUS_FAILED with `result` filled in; another status when it could not be judged. After a
 * failure the workspace is repaired before the next run. */
enum status runner_judge(struct runner *runner, struct check_result *result, struct error *error);

/* Checks the canaries where that is cheap (on the CPU). With `in_full`: on every device, and also the floating-point
 * environment and the inputs. So damage is attributed to this rung and not to the next one. STATUS_FAILED names the
 * damage. */
enum status runner_settle(struct runner *runner, bool in_full, struct error *error);

/* Warms up until the clocks have risen, then chooses the batch: how many runs one sample averages. */
enum status runner_warm_up(struct runner *runner, bool cold, struct error *error);

/* Times `count` runs that follow each other: nanoseconds of all of them. */
enum status runner_time(struct runner *runner, unsigned count, double *nanoseconds, struct error *error);

/* Takes one sample: nanoseconds of one run. Parts of inputs and outputs are changed first (workspace_refresh), untimed.
 * A batch on the host starts with an untimed run; between two of its timed runs, cache lines change (line_change). */
enum status runner_sample(struct runner *runner, bool cold, double *nanoseconds, struct error *error);

/* The same, with one cache line of each array changed before every run of the batch. Only where workspace_changes_lines
 * is true. */
enum status runner_sample_changing(struct runner *runner, double *nanoseconds, struct error *error);

/* Times one end-to-end run: upload, compute and download by the host's clock, ns. On the CPU nothing is transferred. */
enum status runner_end_to_end(struct runner *runner, double nanoseconds[PHASE_COUNT], struct error *error);

/* Writes, behind what the rung told of itself, how often it fell back ("fell back in 3 of 40 samples"), where it says
 * so (rung.fell_back). */
void runner_tell_fallbacks(const struct runner *runner, char *detail, size_t size);

/* Enqueues the rung once, and waits for it. */
enum status runner_run(struct runner *runner, struct error *error);
