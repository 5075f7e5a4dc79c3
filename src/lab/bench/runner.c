#include "lab/bench/runner.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "backends/cpu/floating_state.h"
#include "base/clock.h"
#include "base/message.h"
#include "base/under_way.h"
#include "base/unpredictable.h"
#include "lab/bench/rest.h"
#include "lab/verification/process_state.h"

#define WARM_UP_NS 20e6 /* enough for clocks to rise */
#define LOOK_NS 4e6     /* for a rough time, among others that have raised them */
#define WARM_UP_RUNS 20
#define LONG_NS 50e6         /* a run this long needs no second one: it was run when it was checked, too */
#define HOST_BATCH_NS 200e3  /* a host sample this long hides the clock's cost, and what changes between its runs */
#define QUEUE_BATCH_NS 400e3 /* a queue this full hides the first launch's way to the device */
#define BATCH_MOST 1000
#define STILL_NS 100000000 /* no clock is so coarse */

enum status runner_prepare(struct runner *runner, struct workspace *workspace, const struct candidate *candidate,
                           struct error *error)
{
    struct prepared_run *prepared = &runner->prepared;
    const struct dataset *data = workspace->data;
    runner->candidate = *candidate;
    runner->workspace = workspace;
    runner->batch = 1;
    if (candidate->rung->scales_output) {
        workspace->poison_is_number = true;
        dataset_number_unread(workspace->data);
    }
    enum status status =
        prepared_run_plan(prepared, candidate->rung, &data->problem, workspace->device, &candidate->parameters, error);
    if (status == STATUS_OK)
        status = workspace_reserve_scratch(workspace, prepared->scratch_bytes, error);
    if (status != STATUS_OK)
        return status;
    status = prepared_run_make(prepared, data->arrays, data->array_count, workspace->payloads,
                               &workspace->scratch.payload, error);
    if (status == STATUS_OK)
        status = event_create(workspace->device, &runner->from, error);
    if (status == STATUS_OK)
        status = event_create(workspace->device, &runner->to, error);
    if (status != STATUS_OK)
        runner_finish(runner);
    return status;
}

void runner_finish(struct runner *runner)
{
    event_destroy(runner->from);
    event_destroy(runner->to);
    prepared_run_finish(&runner->prepared);
    runner->from = runner->to = NULL;
}

enum status runner_run(struct runner *runner, struct error *error)
{
    under_way_step();
    return prepared_run_run(&runner->prepared, error);
}

void runner_begin_turn(const struct runner *runner)
{
    if (!runner->is_probe)
        process_state_note();
}

enum status runner_end_turn(const struct runner *runner, enum status status, struct error *error)
{
    struct error why;
    if (runner->is_probe)
        return status;
    enum status found = process_state_check(candidate_is_own_code(&runner->candidate), &why);
    if (status != STATUS_OK || found == STATUS_OK)
        return status;
    *error = why;
    return found;
}

static bool is_filled_with(const unsigned char *bytes, size_t count, unsigned char value)
{
    for (size_t at = 0; at < count; at++)
        if (bytes[at] != value)
            return false;
    return true;
}

/* FNV-1a over the outputs. An output that still has only poison is not part of the result. */
static uint64_t fingerprint(const struct dataset *data, unsigned char poison)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (int i = 0; i < data->array_count; i++) {
        const unsigned char *bytes = data->output.data[i];
        if (!bytes || is_filled_with(bytes, data->arrays[i].bytes, poison))
            continue;
        for (size_t at = 0; at < data->arrays[i].bytes; at++)
            hash = (hash ^ bytes[at]) * 0x100000001b3u;
    }
    return hash;
}

static enum status check_floating_state(struct error *error)
{
    char what[128];
    return floating_state_is_default(what, sizeof what) ? STATUS_OK : fail(error, STATUS_FAILED, "%s", what);
}

enum status runner_settle(struct runner *runner, bool in_full, struct error *error)
{
    bool is_cheap = runner->prepared.run.device->backend->kind == BACKEND_CPU;
    enum status status = is_cheap || in_full ? workspace_check_canaries(runner->workspace, error) : STATUS_OK;
    if (status == STATUS_OK && in_full)
        status = check_floating_state(error);
    if (status == STATUS_OK && in_full)
        status = workspace_check_inputs(runner->workspace, error);
    runner->is_disturbed = runner->is_disturbed || in_full;
    if (status != STATUS_OK)
        runner->workspace->is_damaged = true;
    return status;
}

/* Outputs are downloaded first: a thread that the rung left behind may write them later. */
enum status runner_judge(struct runner *runner, struct check_result *result, struct error *error)
{
    struct workspace *workspace = runner->workspace;
    const struct dataset *data = workspace->data;
    memset(result, 0, sizeof *result);
    int64_t start = clock_now();
    enum status status = workspace_download(workspace, error);
    if (status == STATUS_OK)
        status = runner_settle(runner, true, error);
    if (status == STATUS_OK)
        status =
            rung_bound(runner->candidate.rung, &data->problem, &runner->candidate.parameters, &result->bound, error);
    if (status == STATUS_OK) {
        result->is_users = runner->candidate.rung->varies;
        under_way_judge();
        data->problem.kernel->check(&data->filled, data->arrays, data->input, data->output, result);
        under_way_judged();
        status = check_outcome(result, error);
    }
    if (status == STATUS_OK)
        status = workspace_check_rest(workspace, error);
    workspace->is_damaged = workspace->is_damaged || status != STATUS_OK;
    runner->is_disturbed = true;
    runner->check_ns = (double)(clock_now() - start);
    return status;
}

static enum status run_poisoned(struct runner *runner, unsigned char poison, struct error *error)
{
    enum status status = workspace_poison(runner->workspace, poison, error);
    if (status == STATUS_OK && runner->candidate.rung->source)
        status = local_poison_fill(&runner->workspace->local, runner->candidate.device, poison, error);
    if (status != STATUS_OK)
        return status;
    workspace_seal_inputs(runner->workspace, true);
    status = runner_run(runner, error);
    workspace_seal_inputs(runner->workspace, false);
    return status;
}

static enum status check_repetition(struct runner *runner, unsigned char poison, struct error *error)
{
    const struct dataset *data = runner->workspace->data;
    if (!data->problem.kernel->repeatable)
        return STATUS_OK;
    uint64_t before = fingerprint(data, poison);
    unsigned char another = poison ^ 1;
    enum status status = run_poisoned(runner, another, error);
    if (status == STATUS_OK)
        status = workspace_download(runner->workspace, error);
    if (status != STATUS_OK || fingerprint(data, another) == before)
        return status;
    /* Another order of a user's threads or atomic operations rounds otherwise, and is right if its result is. */
    struct check_result result;
    return runner->candidate.rung->varies ? runner_judge(runner, &result, error)
                                          : fail(error, STATUS_FAILED, "gave other bits than in the run before");
}

enum status runner_verify(struct runner *runner, struct check_result *result, struct error *error)
{
    unsigned char poison = workspace_poison_byte(runner->workspace);
    memset(result, 0, sizeof *result);
    enum status status = workspace_renew(runner->workspace, error);
    if (status == STATUS_OK)
        status = run_poisoned(runner, poison, error);
    if (status == STATUS_OK)
        status = runner_judge(runner, result, error);
    if (status == STATUS_OK)
        status = check_repetition(runner, poison, error);
    return dataset_tell_seed(runner->workspace->data, status, error);
}

/* Runs that need nothing in between are timed as a batch. */
static unsigned batch_for(const struct runner *runner, bool cold)
{
    if (cold || runner->workspace->restores || runner->estimate <= 0)
        return 1;
    double target = runner->prepared.run.device->backend->kind == BACKEND_CPU ? HOST_BATCH_NS : QUEUE_BATCH_NS;
    double runs = ceil(target / runner->estimate);
    return runs > BATCH_MOST ? BATCH_MOST : (unsigned)runs;
}

static enum status begin_runs(struct runner *runner, struct run_begin *begin, struct error *error)
{
    run_counts_begin(&runner->counts, runner->prepared.run.device, begin);
    return event_record(runner->from, error);
}

/* After `count` runs since `begin`. */
static enum status read_times(struct runner *runner, struct run_begin *begin, unsigned count, double *nanoseconds,
                              struct error *error)
{
    enum status status = event_record(runner->to, error);
    if (status == STATUS_OK)
        status = event_elapsed(runner->from, runner->to, nanoseconds, error);
    runner->processor = (double)run_counts_end(&runner->counts, runner->prepared.run.device, begin, count) / count;
    return status;
}

enum status runner_time(struct runner *runner, unsigned count, double *nanoseconds, struct error *error)
{
    under_way_step();
    struct run_begin begin;
    enum status status = begin_runs(runner, &begin, error);
    for (unsigned i = 0; status == STATUS_OK && i < count; i++)
        status = prepared_run_enqueue(&runner->prepared, error);
    return status == STATUS_OK ? read_times(runner, &begin, count, nanoseconds, error) : status;
}

static bool has_output(const struct dataset *data)
{
    bool any = false;
    for (int i = 0; i < data->array_count; i++)
        any = any || (data->output.data[i] && data->arrays[i].bytes > 0);
    return any;
}

/* With a clock that does not move no bench would end. A coarse one tells the time of many runs. */
static enum status check_clock(struct runner *runner, double *total, struct error *error)
{
    const int64_t start = clock_now();
    int64_t spent = 0;
    enum status status = STATUS_OK;
    for (unsigned count = 10; status == STATUS_OK && *total <= 0 && spent < STILL_NS && count <= BATCH_MOST;
         count *= 10) {
        status = runner_time(runner, count, total, error);
        spent = clock_now() - start;
    }
    if (status == STATUS_OK && *total <= 0 && has_output(runner->workspace->data))
        return fail(error, STATUS_SYSTEM,
                    "its driver's clock stands still: 0 s for runs that take %.2g s by the host's",
                    (double)spent * 1e-9);
    return status;
}

enum status runner_warm_up(struct runner *runner, bool cold, struct error *error)
{
    const double enough = runner->is_rough ? LOOK_NS : WARM_UP_NS;
    const double longest = runner->is_rough ? LOOK_NS : LONG_NS;
    double best = INFINITY, total = 0;
    for (int i = 0; i < WARM_UP_RUNS && (total < enough || (i < 2 && total < longest)); i++) {
        double nanoseconds;
        enum status status = runner_sample(runner, cold, &nanoseconds, error);
        if (status != STATUS_OK)
            return status;
        total += nanoseconds;
        best = nanoseconds < best ? nanoseconds : best;
    }
    enum status status = total > 0 ? STATUS_OK : check_clock(runner, &total, error);
    if (status != STATUS_OK)
        return status;
    runner->estimate = best;
    runner->batch = batch_for(runner, cold);
    runner->spent = 0;
    runner->counts = (struct run_counts){.is_wanted = runner->counts.is_wanted};
    return STATUS_OK;
}

#define EVERY_RUN UINT_MAX

/* Times consecutive runs. Before the run `changed` (or every one: EVERY_RUN), `lines` cache lines of each array change.
 */
static enum status time_changing_runs(struct runner *runner, unsigned changed, size_t lines, double *nanoseconds,
                                      struct error *error)
{
    struct line_change change;
    workspace_choose_lines(runner->workspace, lines, &change);
    workspace_change_lines(runner->workspace, &change); /* so that its code is in the caches when it is timed */
    workspace_choose_lines(runner->workspace, lines, &change);
    under_way_step();
    enum status status = prepared_run_enqueue(&runner->prepared, error);
    struct run_begin begin;
    if (status == STATUS_OK)
        status = begin_runs(runner, &begin, error);
    for (unsigned i = 0; status == STATUS_OK && i < runner->batch; i++) {
        if (i == changed || changed == EVERY_RUN)
            workspace_change_lines(runner->workspace, &change);
        if (changed == EVERY_RUN) /* new lines for the next run: no two runs have the same data */
            workspace_choose_lines(runner->workspace, lines, &change);
        status = prepared_run_enqueue(&runner->prepared, error);
    }
    return status == STATUS_OK ? read_times(runner, &begin, runner->batch, nanoseconds, error) : status;
}

/* Times a batch on the host. An untimed run first warms the caches that the change of data has cooled. Before one timed
 * run, chosen unpredictably, cache lines change: so no run can reuse an earlier run's results. */
static enum status time_batch(struct runner *runner, double *nanoseconds, struct error *error)
{
    if (runner->batch < 2 || runner->is_probe || !workspace_changes_lines(runner->workspace))
        return runner_time(runner, runner->batch, nanoseconds, error);
    unsigned changed = (unsigned)unpredictable_below(runner->batch);
    return time_changing_runs(runner, changed, LINES_MOST, nanoseconds, error);
}

/* Restores the state that a run leaves. After a check, its threads still spin on the rung's cores, and the caches hold
 * its data. So this waits until they are idle, then does an untimed run. */
static enum status settle_in(struct runner *runner, struct error *error)
{
    bool was_disturbed = runner->is_disturbed;
    runner->is_disturbed = false;
    if (!was_disturbed || runner->estimate > LONG_NS)
        return STATUS_OK;
    int64_t start = clock_now();
    if (runner->prepared.run.device->properties.is_cpu)
        wait_until_at_rest();
    enum status status = runner->is_probe ? STATUS_OK : workspace_refresh(runner->workspace, error);
    if (status == STATUS_OK)
        status = runner_run(runner, error);
    runner->audited += (double)(clock_now() - start);
    return status;
}

/* Asks the rung, untimed, whether the last sample fell back. */
static enum status note_fallback(struct runner *runner, struct error *error)
{
    bool did = false;
    if (!runner->candidate.rung->fell_back)
        return STATUS_OK;
    enum status status = runner->candidate.rung->fell_back(&runner->prepared.run, &did, error);
    runner->samples++;
    runner->fallbacks += did;
    return status;
}

void runner_tell_fallbacks(const struct runner *runner, char *detail, size_t size)
{
    if (!runner->samples)
        return;
    size_t used = strlen(detail);
    if (used > 0 && used + 2 < size) {
        memcpy(detail + used, ", ", 3);
        used += 2;
    }
    explain(detail + used, size - used, "fell back in %u of %u samples", runner->fallbacks, runner->samples);
}

enum status runner_sample(struct runner *runner, bool cold, double *nanoseconds, struct error *error)
{
    enum status status = cold ? STATUS_OK : settle_in(runner, error);
    if (status == STATUS_OK && !runner->is_probe)
        status = workspace_refresh(runner->workspace, error);
    if (status == STATUS_OK && cold)
        status = workspace_flush_caches(runner->workspace, error);
    if (status == STATUS_OK)
        status = time_batch(runner, nanoseconds, error);
    if (status == STATUS_OK) {
        runner->spent += *nanoseconds;
        *nanoseconds /= runner->batch;
        status = note_fallback(runner, error);
    }
    runner->unchecked = true;
    return status;
}

enum status runner_sample_changing(struct runner *runner, double *nanoseconds, struct error *error)
{
    *nanoseconds = 0;
    enum status status = workspace_refresh(runner->workspace, error);
    if (status == STATUS_OK)
        status = time_changing_runs(runner, EVERY_RUN, 1, nanoseconds, error);
    *nanoseconds /= runner->batch;
    runner->unchecked = true;
    return status;
}

enum status runner_end_to_end(struct runner *runner, double nanoseconds[PHASE_COUNT], struct error *error)
{
    bool on_host = runner->prepared.run.device->backend->kind == BACKEND_CPU;
    enum status status = device_synchronize(runner->prepared.run.device, error);
    if (status == STATUS_OK)
        status = workspace_refresh(runner->workspace, error);
    if (status == STATUS_OK && !on_host)
        status = workspace_stage(runner->workspace, error);
    int64_t start = clock_now();
    if (status == STATUS_OK && !on_host)
        status = workspace_upload(runner->workspace, error);
    int64_t uploaded = clock_now();
    if (status == STATUS_OK)
        status = runner_run(runner, error);
    int64_t computed = clock_now();
    if (status == STATUS_OK && !on_host)
        status = workspace_download_results(runner->workspace, error);
    int64_t downloaded = clock_now();
    nanoseconds[PHASE_UPLOAD] = (double)(uploaded - start);
    nanoseconds[PHASE_LAUNCH] = (double)(computed - uploaded);
    nanoseconds[PHASE_DOWNLOAD] = (double)(downloaded - computed);
    nanoseconds[PHASE_END_TO_END] = (double)(downloaded - start);
    return status;
}
