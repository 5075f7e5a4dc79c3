/* The pace of device rungs detects work that a launch reuses from an earlier one. Such work may survive in the
 * program's own device memory, on the device's heap, in stale local memory or in the output. */
#include "lab/verification/device_pace.h"

#include <math.h>

#include "base/clock.h"
#include "base/rank_test.h"
#include "base/statistics.h"
#include "base/under_way.h"
#include "base/unpredictable.h"
#include "lab/bench/rest.h"
#include "lab/bench/thread_clocks.h"
#include "lab/verification/fresh_calls.h"

/* Pairs of samples. On a device the comparison ends as soon as the median with changes is as short as without; at
 * PAIRS_DEVICE a test on ranks decides. On the host, whose CPU time hardly varies, it ends as soon as no more pairs are
 * clearly longer with changes than clearly shorter; from PAIRS_DECIDE on a test on signs decides, as soon as it can. So
 * a rung that works in full in half of its calls, to move a median, is found there, too. */
#define PAIRS_MOST 40
#define PAIRS_DECIDE 16
#define PAIRS_DEVICE 16
#define PAIRS_NS 3000000000 /* of a comparison, when PAIRS_DECIDE are there */
#define PAIRS_LEAST 6
#define PAIRS_LEAST_OF_A_FILE 10
#define PAIRS_LEAST_LONG 2
#define LONG_NS 20e6
#define LEVEL 0.01
#define LEVEL_DOUBT 0.1 /* below it a file is not acquitted, but disturbed */
#define FACTOR 1.1
#define LINE ((size_t)64)
#define JUDGED_ONE_IN 2  /* calls on fresh inputs: their pattern can be recognised, and work left out there */
#define SLACK_NS 10e3    /* cost of a small copy between two launches of one queue */
#define SHORTEST_NS 20e3 /* shorter runs are dominated by the slack */
#define BYTES_MOST 2e9   /* of inputs that are uploaded again for every sample */

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
#define HOST_LONG_NS 100e6 /* for longer ones fewer pairs acquit */
#define HOST_LONG_PAIRS 6

/* Every other time the call is compared that follows another one at once, as in the rounds: threads are awake then. */
#define TURN_FACTOR 1.5
#define TURN_SLACK_NS 50e3
#define TURN_SHORTEST_NS 200e3 /* shorter runs are timed in batches */

struct pace {
    double usual[PAIRS_MOST], changing[PAIRS_MOST];
    size_t count;
    double factor, slack; /* ns */
    bool has_turns;       /* pairs of odd numbers compare calls as in the rounds */
    double turn_slack;    /* ns, in those pairs: there the former call finds its arrays where a run left them */
};

static double allowed(const struct pace *pace, double usual)
{
    return pace->factor * usual + pace->slack;
}

/* Whether no further pair is needed. */
static bool is_settled(const struct pace *pace)
{
    const bool is_long = pace->count && pace->usual[0] >= LONG_NS;
    return pace->count >= (is_long ? PAIRS_LEAST_LONG : PAIRS_LEAST) &&
           statistics_median(pace->changing, pace->count) <= allowed(pace, statistics_median(pace->usual, pace->count));
}

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

static enum status refuse(const struct pace *pace, bool is_certain, struct error *error)
{
    return pace_refuse(statistics_median(pace->usual, pace->count), statistics_median(pace->changing, pace->count),
                       is_certain, error);
}

/* After PAIRS_DEVICE pairs. */
static enum status conclude(const struct pace *pace, struct error *error)
{
    double at_most[PAIRS_MOST];
    struct rank_test test;
    for (size_t i = 0; i < pace->count; i++)
        at_most[i] = allowed(pace, pace->usual[i]);
    if (!rank_test(at_most, pace->count, pace->changing, pace->count, LEVEL, &test))
        return fail(error, STATUS_UNAVAILABLE, "no memory for a test on ranks");
    if (test.p >= LEVEL || test.shift <= 0)
        return STATUS_OK;
    return refuse(pace, true, error);
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

/* Inputs of which pieces have changed, or those of a fresh seed. As much is drawn and they are uploaded in both cases,
 * so that the caches hold the same lines. */
static enum status bring(struct workspace *workspace, bool is_fresh, struct error *error)
{
    if (is_fresh)
        dataset_renew(workspace->data);
    else if (workspace->device->properties.is_cpu)
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

static enum status compare(struct runner *runner, enum status (*sample)(struct runner *, struct pace *, struct error *),
                           double factor, struct error *error)
{
    struct pace pace = {.factor = factor, .slack = SLACK_NS};
    enum status status = STATUS_OK;
    while (status == STATUS_OK && pace.count < PAIRS_DEVICE && !is_settled(&pace))
        status = sample(runner, &pace, error);
    return status == STATUS_OK && !is_settled(&pace) ? conclude(&pace, error) : status;
}

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
        workspace->memory != MEMORY_PAGEABLE || !dataset_mixes(workspace->data) ||
        input_bytes(workspace->data) > BYTES_MOST)
        return STATUS_OK;
    enum status status = runner->batch > 1 ? compare(runner, sample_batch, FACTOR, error) : STATUS_OK;
    return status == STATUS_OK ? compare(runner, sample_once, FACTOR, error) : status;
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

static bool is_turn(const struct pace *pace, size_t pair)
{
    return pace->has_turns && pair % 2 == 1;
}

/* Pairs in which fresh inputs took clearly longer, less those in which they took clearly less time; `all`: both. */
static long excess(const struct pace *pace, long *all)
{
    struct pace turns = *pace;
    long more = 0, less = 0;
    turns.factor = fmax(pace->factor, TURN_FACTOR);
    turns.slack += pace->turn_slack;
    for (size_t i = 0; i < pace->count; i++) {
        const struct pace *rule = is_turn(pace, i) ? &turns : pace;
        more += pace->changing[i] > allowed(rule, pace->usual[i]);
        less += pace->usual[i] > allowed(rule, pace->changing[i]);
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

static size_t least_pairs(const struct runner *runner)
{
    if (!runner->candidate.rung->varies)
        return PAIRS_LEAST;
    return runner->estimate > HOST_LONG_NS ? HOST_LONG_PAIRS : PAIRS_LEAST_OF_A_FILE;
}

/* Whether another pair is needed. Pairs end undecided when their time is over. */
static bool is_open(const struct pace *pace, size_t least, int64_t begun)
{
    long all = 0;
    const long more = excess(pace, &all);
    if (pace->count < least || (more > 0 && pace->count < PAIRS_DECIDE))
        return true;
    return more > 0 && chance(more, all) >= LEVEL && pace->count < PAIRS_MOST && clock_now() - begun < PAIRS_NS;
}

enum status audit_host_pace(struct runner *runner, bool cold, struct error *error)
{
    const struct workspace *workspace = runner->workspace;
    const double longest = runner->candidate.rung->varies ? HOST_LONGEST_OF_A_FILE_NS : HOST_LONGEST_NS;
    if (cold || runner->estimate < HOST_SHORTEST_NS || runner->estimate > longest || !dataset_mixes(workspace->data) ||
        workspace->data->problem.kernel->learns_branches || input_bytes(workspace->data) > BYTES_MOST)
        return STATUS_OK;
    const double learns = runner->estimate < HOST_SHORT_NS ? HOST_FACTOR_SHORT_SORT : HOST_FACTOR_SORT;
    struct pace pace = {.factor = workspace->data->problem.kernel->branches_by_data ? learns : HOST_FACTOR,
                        .slack = SLACK_NS,
                        .has_turns = runner->candidate.rung->varies && runner->estimate > TURN_SHORTEST_NS};
    enum status status = pace.has_turns ? fresh_know_fetch(runner, cold, error) : STATUS_OK;
    pace.turn_slack = TURN_SLACK_NS + fresh_fetch_used(runner);
    const int64_t begun = clock_now();
    while (status == STATUS_OK && is_open(&pace, least_pairs(runner), begun))
        status = sample_on_host(runner, &pace, error);
    thread_clocks_forget();
    long all = 0;
    const long more = excess(&pace, &all);
    if (status != STATUS_OK || more <= 0 || chance(more, all) >= LEVEL_DOUBT)
        return status;
    return refuse(&pace, chance(more, all) < LEVEL, error);
}
