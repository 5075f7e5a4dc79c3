#include "lab/verification/audit.h"

#include <math.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/silence.h"
#include "base/size.h"
#include "base/statistics.h"
#include "base/under_way.h"
#include "base/unpredictable.h"
#include "lab/bench/thread_clocks.h"
#include "lab/verification/device_pace.h"
#include "lab/verification/fresh_calls.h"

#define LAST_RUNS 8
#define LAST_NS 50000000
#define LONG_NS 50e6 /* a run this long of ours is judged as it comes */
#define PACE_BATCH 2 /* of a single run nothing is repeated */
#define PACE_LEAST 3 /* minimum number of pairs of samples; the test passes as soon as a changed sample is as short */
#define PACE_MOST 15
#define PACE_FACTOR 1.5
#define PACE_SLACK_NS 3e3 /* cost of lines that changed in another core's cache */
/* Between two comparisons, ns. One alone has refused a right rung whose threads changed their cores meanwhile. */
static const int64_t pauses[] = {100000000, 300000000};
#define SHARE 0.5 /* of the time of a rung's turns: audits may add half as much again */

bool audit_is_affordable(const struct runner *runner)
{
    return runner->audited + runner->check_ns <= SHARE * runner->visited;
}

static enum status conclude(struct runner *runner, int64_t start, const struct check_result *result, double *worst,
                            enum status status, struct error *error)
{
    *worst = fmax(*worst, result->worst);
    runner->unchecked = false;
    runner->check_ns = (double)(clock_now() - start);
    runner->audited += runner->check_ns;
    return status == STATUS_OK ? status : fail_in(error, status, "in a timed run");
}

static enum status judge_last(struct runner *runner, double *worst, struct error *error)
{
    struct check_result result;
    int64_t start = clock_now();
    enum status status = runner_judge(runner, &result, error);
    return conclude(runner, start, &result, worst, status, error);
}

static double allowed(double usual)
{
    return PACE_FACTOR * usual + PACE_SLACK_NS;
}

bool pace_differs(const double *usual, const double *changing, size_t count)
{
    double sorted[PACE_MOST], least = INFINITY;
    count = count < PACE_MOST ? count : PACE_MOST;
    for (size_t i = 0; i < count; i++) {
        sorted[i] = usual[i];
        least = fmin(least, changing[i]);
    }
    return count > 0 && least > allowed(statistics_median(sorted, count));
}

static enum status compare_paces(struct runner *runner, bool cold, struct error *error)
{
    double usual[PACE_MOST] = {0}, changing[PACE_MOST] = {0}, used[PACE_MOST] = {0}, used_changing[PACE_MOST] = {0};
    size_t count = 0;
    enum status status = STATUS_OK;
    if (runner->prepared.run.device->backend->kind != BACKEND_CPU)
        return audit_device_pace(runner, cold, error);
    if (cold || !workspace_changes_lines(runner->workspace) || runner->batch < PACE_BATCH)
        return audit_host_pace(runner, cold, error);
    for (; status == STATUS_OK && count < PACE_MOST; count++) {
        if (count >= PACE_LEAST && !pace_differs(usual, changing, count))
            return audit_host_pace(runner, cold, error); /* a rung may keep results of blocks */
        status = runner_sample(runner, cold, &usual[count], error);
        used[count] = runner->processor;
        if (status == STATUS_OK)
            status = runner_sample_changing(runner, &changing[count], error);
        used_changing[count] = runner->processor;
    }
    if (status != STATUS_OK)
        return status;
    if (!pace_differs(usual, changing, count))
        return audit_host_pace(runner, cold, error);
    const bool uses_more = statistics_median(used_changing, count) > allowed(statistics_median(used, count));
    return pace_refuse(statistics_median(usual, count), statistics_median(changing, count), uses_more, error);
}

enum status audit_pace(struct runner *runner, bool cold, struct error *error)
{
    thread_clocks_note();
    enum status status = compare_paces(runner, cold, error);
    for (size_t i = 0; (status == STATUS_FAILED || status == STATUS_SYSTEM) && i < COUNT_OF(pauses); i++) {
        clock_sleep(pauses[i]);
        thread_clocks_note();
        status = compare_paces(runner, cold, error);
    }
    thread_clocks_forget();
    return status;
}

static enum status enqueue_times(struct runner *runner, unsigned count, struct error *error)
{
    enum status status = STATUS_OK;
    for (unsigned i = 0; status == STATUS_OK && i < count; i++)
        status = prepared_run_enqueue(&runner->prepared, error);
    return status;
}

static enum status run_times(struct runner *runner, unsigned count, struct error *error)
{
    under_way_step();
    enum status status = enqueue_times(runner, count, error);
    return status == STATUS_OK ? device_synchronize(runner->prepared.run.device, error) : status;
}

/* Runs the rung `count` times, and once more on other data. With `at_once` only a few lines change, so that the last
 * call follows without a pause. */
static enum status run_between(struct runner *runner, unsigned count, bool at_once, struct error *error)
{
    struct workspace *workspace = runner->workspace;
    const bool on_host = workspace_changes_lines(workspace);
    struct line_change rehearsal, change;
    if (on_host && at_once) {
        workspace_choose_lines(workspace, LINES_MOST, &rehearsal);
        workspace_change_lines(workspace, &rehearsal); /* warms the code up before the change that counts */
        workspace_choose_lines(workspace, LINES_MOST, &change);
    }
    if (!at_once) {
        enum status status = run_times(runner, count, error);
        if (status == STATUS_OK)
            status = workspace_refresh(workspace, error);
        return status == STATUS_OK ? run_times(runner, 1, error) : status;
    }
    enum status status = enqueue_times(runner, count, error);
    if (on_host)
        workspace_change_lines(workspace, &change);
    else if (status == STATUS_OK && !workspace->restores)
        status = workspace_poison_pieces(workspace, error);
    return status == STATUS_OK ? run_times(runner, 1, error) : status;
}

/* A run on inputs that were wholly others' is like no timed one: a rung that knows inputs by a sample would work in
 * full. */
static enum status meet_inputs(struct runner *runner, struct error *error)
{
    struct workspace *workspace = runner->workspace;
    const bool is_affordable = runner->candidate.rung->varies || runner->estimate <= LONG_NS;
    if (workspace->version == workspace->data->version || !is_affordable)
        return STATUS_OK;
    const enum status status = workspace_refresh(workspace, error);
    return status == STATUS_OK ? run_times(runner, 1, error) : status;
}

/* Begins as a batch does. The data change between two of its runs, and the next call is the last one: it alone must do
 * all the work that is judged. */
static enum status run_unseen(struct runner *runner, bool cold, struct error *error)
{
    struct workspace *workspace = runner->workspace;
    unsigned first = runner->batch > 1 ? 1 + (unsigned)unpredictable_below(runner->batch - 1) : 1;
    enum status status = meet_inputs(runner, error);
    if (status == STATUS_OK)
        status = workspace_refresh(workspace, error);
    if (status == STATUS_OK && cold)
        status = workspace_flush_caches(workspace, error);
    if (first < runner->batch)
        return status == STATUS_OK ? run_between(runner, first, unpredictable_below(2) == 0, error) : status;
    return status == STATUS_OK ? run_times(runner, first, error) : status;
}

enum status audit_run(struct runner *runner, bool cold, bool fresh, double *worst, struct error *error)
{
    struct check_result result = {0};
    double unused;
    int64_t start = clock_now();
    enum status status = fresh ? fresh_call(runner, cold, &unused, error) : run_unseen(runner, cold, error);
    if (status == STATUS_OK)
        status = runner_judge(runner, &result, error);
    return conclude(runner, start, &result, worst, status, error);
}

enum status audit_perhaps(struct runner *runner, bool cold, double last, double *worst, struct error *error)
{
    enum { AS_LEFT, AS_TIMED, CHOICES = 8 };
    size_t choice = unpredictable_below(CHOICES);
    const bool is_affordable = audit_is_affordable(runner), is_fresh = fresh_is_wanted(runner, last);
    if (is_fresh && (is_affordable || !runner->fresh_count))
        return audit_run(runner, cold, true, worst, error);
    if (runner->is_probe || choice > AS_TIMED || !is_affordable)
        return STATUS_OK;
    return choice == AS_LEFT ? judge_last(runner, worst, error) : audit_run(runner, cold, false, worst, error);
}

/* Less the time for which this thread waited for a processor: a busy machine judges as many runs as an idle one. */
static int64_t now_without_waits(void)
{
    return clock_now() - run_delay_of_thread(getpid(), gettid());
}

enum status audit_last(struct runner *runner, bool cold, double *worst, struct error *error)
{
    const int64_t start = now_without_waits();
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < LAST_RUNS && (i == 0 || now_without_waits() - start < LAST_NS); i++)
        status = audit_run(runner, cold, false, worst, error);
    return status;
}
