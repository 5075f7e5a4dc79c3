/* The pace of device rungs detects work that a launch reuses from an earlier one. Such work may survive in the
 * program's own device memory, on the device's heap, in stale local memory or in the output. */
#include "lab/verification/device_pace.h"

#include <math.h>

#include "base/clock.h"
#include "base/size.h"
#include "base/statistics.h"
#include "base/under_way.h"
#include "base/unpredictable.h"
#include "lab/bench/rest.h"
#include "lab/bench/thread_clocks.h"
#include "lab/verification/fresh_calls.h"

/* Pairs of samples. The comparison ends as soon as no more of them are clearly longer with changes than clearly
 * shorter; from PAIRS_DECIDE on a test on signs decides, as soon as it can. So a rung that works in full in half of its
 * calls, to move a median, is found, too. */
#define PAIRS_MOST 40
#define PAIRS_DECIDE 16
#define PAIRS_NS 6000000000 /* of a comparison, when PAIRS_DECIDE are there */
#define PAIRS_LEAST 6
#define PAIRS_LEAST_LONG 2
#define PAIRS_LEAST_OF_A_FILE 10
#define PAIRS_LEAST_OF_A_LONG_FILE 6
#define LONG_NS 20e6
#define LONG_OF_A_FILE_NS 100e6
#define LEVEL 0.01
#define LEVEL_DOUBT 0.1 /* below it a file is not acquitted, but disturbed */
#define LINE ((size_t)64)
#define JUDGED_ONE_IN 2 /* calls on fresh inputs: their pattern can be recognised, and work left out there */
#define BYTES_MOST 2e9  /* of inputs that are uploaded again for every sample */

/* Launches of a batch, and those of OpenCL on a CPU. */
#define FACTOR 1.1
#define SLACK_NS 10e3    /* cost of a small copy between two launches of one queue */
#define SHORTEST_NS 20e3 /* shorter runs are dominated by the slack */

/* A GPU's single launches: before both as much was drawn and uploaded, so its caches and clocks are in the same state.
 */
#define GPU_FACTOR 1.05
#define GPU_SLACK_NS 3e3

/* Factor for single runs on the cpu, pair by pair; batches are compared in lab/verification/audit.c, too, by changes of
 * a few lines. Branch prediction improves on repeated data, and that is allowed where branches go by the data, as in
 * sorts: more so in short ones. */
#define HOST_FACTOR 1.25
#define HOST_FACTOR_SORT 1.5
#define HOST_FACTOR_SHORT_SORT 2.0
#define HOST_SHORT_NS 1e6
#define HOST_SHORTEST_NS 30e3
/* Longer rungs of ours are compared by fresh_calls.h alone; so is a file whose runs are longer still. */
#define HOST_LONGEST_NS 20e6
#define HOST_LONGEST_OF_A_FILE_NS 1e9

/* Every other time the call is compared that follows another one at once, as in the rounds: threads are awake then. */
#define TURN_FACTOR 1.5
#define TURN_SLACK_NS 50e3
#define TURN_SHORTEST_NS 200e3 /* shorter runs are timed in batches */

struct clearly {
    double factor, slack; /* ns */
};

struct pace {
    double usual[PAIRS_MOST], changing[PAIRS_MOST];
    size_t count;
    struct clearly clearly[2]; /* longer by that; by either, where the second's factor is not 0 */
    bool has_turns;            /* pairs of odd numbers compare calls as in the rounds */
    double turn_slack;         /* ns, in those pairs: there the former call finds its arrays where a run left them */
};

enum status pace_refuse(double usual, double changing, bool is_certain, struct error *error)
{
    if (is_certain)
        return fail(error, STATUS_FAILED,
                    "a run takes %.3g µs where data have changed, and %.3g µs where they have not", changing / 1e3,
                    usual / 1e3);
    return fail(
        error, STATUS_SYSTEM,
        "disturbed: a run takes %.3g µs where data have changed, and %.3g µs where they have not, and that may be "
        "the other programs' doing",
        changing / 1e3, usual / 1e3);
}

static bool is_turn(const struct pace *pace, size_t pair)
{
    return pace->has_turns && pair % 2 == 1;
}

/* Pairs in which fresh inputs took clearly longer, less those in which they took clearly less time; `all`: both. */
static long excess(const struct pace *pace, struct clearly clearly, long *all)
{
    const struct clearly turn = {fmax(clearly.factor, TURN_FACTOR), clearly.slack + pace->turn_slack};
    long more = 0, less = 0;
    for (size_t i = 0; i < pace->count; i++) {
        const struct clearly rule = is_turn(pace, i) ? turn : clearly;
        more += pace->changing[i] > rule.factor * pace->usual[i] + rule.slack;
        less += pace->usual[i] > rule.factor * pace->changing[i] + rule.slack;
    }
    *all = more + less;
    return more - less;
}

/* Probability of such an excess or a larger one where either is as likely as the other: the sign test. */
static double chance(long excess, long all)
{
    double one = pow(0.5, (double)all), sum = 0; /* the first is that all go one way */
    for (long less = 0; less <= (all - excess) / 2; less++) {
        sum += one;
        one *= (double)(all - less) / (double)(less + 1);
    }
    return sum;
}

/* The least probability of the excesses found; 1 without any. */
static double doubt(const struct pace *pace)
{
    double least = 1;
    for (size_t i = 0; i < COUNT_OF(pace->clearly) && pace->clearly[i].factor > 0; i++) {
        long all = 0;
        const long more = excess(pace, pace->clearly[i], &all);
        least = more > 0 ? fmin(least, chance(more, all)) : least;
    }
    return least;
}

/* Pairs that acquit. */
static size_t least_pairs(const struct runner *runner)
{
    if (runner->candidate.rung->varies)
        return runner->estimate > LONG_OF_A_FILE_NS ? PAIRS_LEAST_OF_A_LONG_FILE : PAIRS_LEAST_OF_A_FILE;
    return runner->estimate >= LONG_NS ? PAIRS_LEAST_LONG : PAIRS_LEAST;
}

/* Whether another pair is needed. Pairs end undecided when their time is over. */
static bool is_open(const struct runner *runner, const struct pace *pace, int64_t begun)
{
    const double now = doubt(pace);
    if (pace->count < least_pairs(runner) || (now < 1 && pace->count < PAIRS_DECIDE))
        return true;
    return now < 1 && now >= LEVEL && pace->count < PAIRS_MOST && clock_now() - begun < PAIRS_NS;
}

/* Takes pairs until they decide. Those that end undecided are doubtful. */
static enum status compare(struct runner *runner, enum status (*sample)(struct runner *, struct pace *, struct error *),
                           struct pace *pace, struct error *error)
{
    const int64_t begun = clock_now();
    enum status status = STATUS_OK;
    while (status == STATUS_OK && is_open(runner, pace, begun))
        status = sample(runner, pace, error);
    /* A GPU's launches vary by more than what is clear: some excess is usual there. */
    const double level = runner->prepared.run.device->properties.is_cpu ? LEVEL_DOUBT : LEVEL;
    const double found = doubt(pace);
    if (status != STATUS_OK || found >= level)
        return status;
    return pace_refuse(statistics_median(pace->usual, pace->count), statistics_median(pace->changing, pace->count),
                       found < LEVEL, error);
}

/* OpenCL on a CPU is compared in CPU time: on a busy machine each launch waits for its threads. */
static bool is_cpu(const struct runner *runner)
{
    return runner->prepared.run.device->properties.is_cpu;
}

/* ---- a batch: launches that follow each other ------------------------------------------------------------------- */

/* Overwrites one line of every input with another line of the same input. The copies are enqueued, so that no launch
 * waits for the host. */
static enum status change_lines(struct workspace *workspace, struct error *error)
{
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < workspace->data->array_count; i++) {
        const struct buffer *input = &workspace->payloads[i];
        size_t lines = input->bytes / LINE;
        if (workspace->data->arrays[i].direction != ARRAY_IN || lines < 2)
            continue;
        size_t from = unpredictable_below(lines), to = unpredictable_below(lines);
        if (from != to)
            status = buffer_copy(input, to * LINE, input, from * LINE, LINE, error);
    }
    return status;
}

/* Nanoseconds of a batch with a change before each run, or of the changes alone. */
static enum status time_changes(struct runner *runner, bool with_runs, double *nanoseconds, struct error *error)
{
    under_way_step();
    const int64_t used = thread_clocks_processor();
    enum status status = event_record(runner->from, error);
    for (unsigned i = 0; status == STATUS_OK && i < runner->batch; i++) {
        status = change_lines(runner->workspace, error);
        if (status == STATUS_OK && with_runs)
            status = prepared_run_enqueue(&runner->prepared, error);
    }
    if (status == STATUS_OK)
        status = event_record(runner->to, error);
    if (status == STATUS_OK)
        status = event_elapsed(runner->from, runner->to, nanoseconds, error);
    if (is_cpu(runner))
        *nanoseconds = (double)(thread_clocks_processor() - used);
    return status;
}

static enum status sample_batch(struct runner *runner, struct pace *pace, struct error *error)
{
    double both = 0, alone = 0;
    enum status status = runner_sample(runner, false, &pace->usual[pace->count], error);
    if (is_cpu(runner))
        pace->usual[pace->count] = runner->processor;
    if (status == STATUS_OK)
        status = time_changes(runner, false, &alone, error);
    if (status == STATUS_OK)
        status = time_changes(runner, true, &both, error);
    pace->changing[pace->count++] = fmax(0, both - alone) / runner->batch;
    runner->workspace->version = 0; /* the device's inputs are no longer those of any version */
    return status;
}

/* ---- one launch, after inputs that are nearly the same, or wholly others ---------------------------------------- */

/* Inputs of which pieces have changed (none where they cannot be mixed), or those of a fresh seed. As much is drawn and
 * they are uploaded in both cases, so that the caches hold the same lines. */
static enum status bring(struct workspace *workspace, bool is_fresh, struct error *error)
{
    if (is_fresh)
        dataset_renew(workspace->data);
    else
        dataset_renew_other(workspace->data);
    workspace->version = 0;
    under_way_step();
    return workspace_refresh(workspace, error);
}

static enum status time_once(struct runner *runner, bool is_fresh, double *nanoseconds, struct error *error)
{
    enum status status = bring(runner->workspace, is_fresh, error);
    if (is_cpu(runner)) /* the threads that drew a fresh seed's inputs may spin */
        wait_until_at_rest();
    if (status == STATUS_OK)
        status = runner_time(runner, 1, nanoseconds, error);
    if (is_cpu(runner))
        *nanoseconds = runner->processor;
    return status;
}

static enum status sample_once(struct runner *runner, struct pace *pace, struct error *error)
{
    enum status status = time_once(runner, false, &pace->usual[pace->count], error);
    if (status == STATUS_OK)
        status = time_once(runner, true, &pace->changing[pace->count], error);
    if (status == STATUS_OK)
        status = fresh_judge(runner, JUDGED_ONE_IN, error);
    pace->count++;
    return status;
}

/* ---- both ------------------------------------------------------------------------------------------------------- */

static double input_bytes(const struct dataset *data)
{
    double bytes = 0;
    for (int i = 0; i < data->array_count; i++)
        bytes += data->arrays[i].direction == ARRAY_OUT ? 0 : (double)data->arrays[i].bytes;
    return bytes;
}

enum status audit_device_pace(struct runner *runner, bool cold, struct error *error)
{
    const struct workspace *workspace = runner->workspace;
    const struct device *device = runner->prepared.run.device;
    if (device->backend->kind == BACKEND_CPU || device_is_null(device) || cold || runner->estimate < SHORTEST_NS ||
        workspace->memory != MEMORY_PAGEABLE || input_bytes(workspace->data) > BYTES_MOST)
        return STATUS_OK;
    const bool on_cpu = device->properties.is_cpu;
    struct pace batches = {.clearly = {{FACTOR, SLACK_NS}}}, launches = batches;
    if (!on_cpu) {
        launches.clearly[0] = (struct clearly){GPU_FACTOR, GPU_SLACK_NS};
        launches.clearly[1] = (struct clearly){HOST_FACTOR, SLACK_NS};
    }
    enum status status = runner->batch > 1 ? compare(runner, sample_batch, &batches, error) : STATUS_OK;
    return status == STATUS_OK ? compare(runner, sample_once, &launches, error) : status;
}

static enum status time_on_host(struct runner *runner, bool is_fresh, double *nanoseconds, struct error *error)
{
    enum status status = bring(runner->workspace, is_fresh, error);
    wait_until_at_rest();
    thread_clocks_note();
    workspace_warm(runner->workspace, false, true); /* lines that other cores have drawn come slowly */
    const int64_t used = thread_clocks_processor();
    if (status == STATUS_OK)
        status = prepared_run_enqueue(&runner->prepared, error);
    *nanoseconds = (double)(thread_clocks_processor() - used);
    return status;
}

/* As in a turn of the rounds: pieces change behind one call, and the next follows. */
static enum status time_in_turn(struct runner *runner, double *nanoseconds, struct error *error)
{
    enum status status = time_on_host(runner, false, nanoseconds, error);
    if (status == STATUS_OK)
        status = workspace_refresh(runner->workspace, error);
    const int64_t used = thread_clocks_processor();
    if (status == STATUS_OK)
        status = prepared_run_enqueue(&runner->prepared, error);
    *nanoseconds = (double)(thread_clocks_processor() - used);
    return status;
}

static enum status sample_on_host(struct runner *runner, struct pace *pace, struct error *error)
{
    double unused;
    enum status status = pace->count ? STATUS_OK : time_on_host(runner, false, &unused, error);
    if (status == STATUS_OK)
        status = is_turn(pace, pace->count) ? time_in_turn(runner, &pace->usual[pace->count], error)
                                            : time_on_host(runner, false, &pace->usual[pace->count], error);
    if (status == STATUS_OK)
        status = time_on_host(runner, true, &pace->changing[pace->count], error);
    if (status == STATUS_OK)
        status = fresh_judge(runner, JUDGED_ONE_IN, error);
    pace->count++;
    return status;
}

enum status audit_host_pace(struct runner *runner, bool cold, struct error *error)
{
    const struct workspace *workspace = runner->workspace;
    const double longest = runner->candidate.rung->varies ? HOST_LONGEST_OF_A_FILE_NS : HOST_LONGEST_NS;
    if (cold || runner->estimate < HOST_SHORTEST_NS || runner->estimate > longest ||
        workspace->data->problem.kernel->learns_branches || input_bytes(workspace->data) > BYTES_MOST)
        return STATUS_OK;
    const double learns = runner->estimate < HOST_SHORT_NS ? HOST_FACTOR_SHORT_SORT : HOST_FACTOR_SORT;
    struct pace pace = {
        .clearly = {{workspace->data->problem.kernel->branches_by_data ? learns : HOST_FACTOR, SLACK_NS}},
        .has_turns = runner->candidate.rung->varies && runner->estimate > TURN_SHORTEST_NS};
    enum status status = pace.has_turns ? fresh_know_fetch(runner, cold, error) : STATUS_OK;
    pace.turn_slack = TURN_SLACK_NS + fresh_fetch_used(runner);
    return status == STATUS_OK ? compare(runner, sample_on_host, &pace, error) : status;
}
