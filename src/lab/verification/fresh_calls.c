#include "lab/verification/fresh_calls.h"

#include <math.h>

#include "base/clock.h"
#include "base/rank_test.h"
#include "base/statistics.h"
#include "base/text.h"
#include "base/under_way.h"
#include "base/unpredictable.h"
#include "lab/bench/rest.h"
#include "lab/bench/thread_clocks.h"

/* Branch prediction improves on data that change little, and that is allowed: more so in short sorts. */
#define FACTOR 1.5
#define FACTOR_STEADY 1.25 /* where no branch goes by the data, and waking and fetching are small beside the run */
#define STEADY_NS 100e3
#define FACTOR_DEVICE 2.0 /* an H200's memory is further away than its cache: 1.5 x for one group of items */
#define FACTOR_SHORT_SORT 2.0
#define SHORT_SORT_NS 1e6 /* as of pieces that change: device_pace.c */

/* The cost of a single call beside one of a batch: idle threads and an idle device wake up. */
#define WAKING_NS 10e3
#define WAKING_DEVICE_NS 20e3
#define WAKING_OPENCL_CPU_NS 150e3

/* A rung may fetch so much more slowly than the lab's loops do, which read line by line. */
#define FETCH_MARGIN 4.0
#define FETCHES 3
#define FETCHES_NS 100e6 /* no more are taken after that time */

#define SPUN_NS                                                                                           \
    30e6 /* threads that still spin, as they filled the inputs, would drown another runtime's shorter run \
          */
#define BYTES_MOST 4e9
#define SERIES 3
#define PAIRS 12 /* in each series */
#define PAIRS_LEAST 4
#define SERIES_NS 1e9
#define LEVEL 0.01
static const int64_t pauses[SERIES] = {0, 100000000, 300000000}; /* before each series, ns */

static double array_bytes(const struct dataset *data)
{
    double bytes = 0;
    for (int i = 0; i < data->array_count; i++)
        bytes += (double)data->arrays[i].bytes;
    return bytes;
}

static bool is_possible(const struct runner *runner)
{
    const struct workspace *workspace = runner->workspace;
    return !runner->is_probe && !runner->is_rough && !device_is_null(runner->prepared.run.device) &&
           !workspace->data->problem.kernel->learns_branches && workspace->memory == MEMORY_PAGEABLE &&
           array_bytes(workspace->data) > 0 && array_bytes(workspace->data) <= BYTES_MOST;
}

/* Without the time to fetch the arrays. */
static double limit(const struct runner *runner, double usual)
{
    const struct device *device = runner->prepared.run.device;
    const bool on_host = device->backend->kind == BACKEND_CPU, is_cpu = device->properties.is_cpu;
    const bool branches = runner->workspace->data->problem.kernel->branches_by_data;
    const bool learns = branches && usual < SHORT_SORT_NS, is_steady = !branches && usual >= STEADY_NS;
    const double factor = !on_host ? FACTOR_DEVICE : learns ? FACTOR_SHORT_SORT : is_steady ? FACTOR_STEADY : FACTOR;
    const double waking = on_host ? WAKING_NS : is_cpu ? WAKING_OPENCL_CPU_NS : WAKING_DEVICE_NS;
    return factor * usual + waking;
}

/* Of arrays that a GPU's cache does not hold, a run finds a part there at most. The measured difference is the noise of
 * long copies then. */
static double fetch_most(const struct runner *runner, double usual)
{
    const struct device *device = runner->prepared.run.device;
    const double bytes = array_bytes(runner->workspace->data), cache = (double)device->properties.cache_bytes;
    const bool is_held = device->properties.is_cpu || cache <= 0 || bytes <= cache;
    return is_held ? INFINITY : usual * cache / bytes;
}

double fresh_limit(const struct runner *runner, double usual)
{
    return limit(runner, usual) + FETCH_MARGIN * fmin(fetch_elapsed(&runner->fetch), fetch_most(runner, usual));
}

double fresh_fetch_used(const struct runner *runner)
{
    return FETCH_MARGIN * fetch_used(&runner->fetch);
}

/* Where the caches hold the arrays, and what the threads do, before the next call. Rungs of one thread and of other
 * runtimes are fastest where OpenMP's threads rest; its own where they do not. Rungs whose stores pass the caches by
 * are faster where these do not hold the outputs. One fast call suffices, so each has its turn. */
struct state {
    bool rests, holds_outputs;
};

static struct state next_state(const struct runner *runner)
{
    return (struct state){runner->fresh_count % 2 == 0, runner->fresh_count / 2 % 2 == 0};
}

static enum status bring_fresh(struct runner *runner, bool cold, struct error *error)
{
    struct workspace *workspace = runner->workspace;
    const struct state state = next_state(runner);
    dataset_renew(workspace->data);
    enum status status = workspace_refresh(workspace, error);
    if (state.rests && runner->prepared.run.device->properties.is_cpu && runner->estimate < SPUN_NS)
        wait_until_at_rest();
    if (status == STATUS_OK && cold)
        return workspace_flush_caches(workspace, error);
    if (status == STATUS_OK)
        workspace_warm(workspace, !state.rests, state.holds_outputs);
    return status;
}

static enum status measure_fetch(struct runner *runner, bool cold, struct error *error)
{
    enum status status = bring_fresh(runner, cold, error);
    if (status == STATUS_OK)
        status = fetch_measure(runner->workspace, runner->from, runner->to, &runner->fetch, error);
    runner->is_disturbed = true;
    return status;
}

enum status fresh_know_fetch(struct runner *runner, bool cold, struct error *error)
{
    const int64_t start = clock_now();
    enum status status = STATUS_OK;
    while (status == STATUS_OK && runner->fetch.count < FETCHES &&
           (!runner->fetch.count || (double)(clock_now() - start) < FETCHES_NS))
        status = measure_fetch(runner, cold, error);
    return status;
}

enum status fresh_call(struct runner *runner, bool cold, double *nanoseconds, struct error *error)
{
    enum status status = runner->fetch.count ? STATUS_OK : fresh_know_fetch(runner, cold, error);
    if (status == STATUS_OK)
        status = bring_fresh(runner, cold, error);
    runner->fresh_count++;
    if (status == STATUS_OK)
        status = runner_time(runner, 1, nanoseconds, error);
    runner->is_disturbed = true;
    if (status == STATUS_OK && (runner->fresh_least == 0 || *nanoseconds < runner->fresh_least))
        runner->fresh_least = *nanoseconds;
    return status;
}

enum status fresh_judge(struct runner *runner, unsigned one_in, struct error *error)
{
    struct check_result result;
    if (unpredictable_below(one_in) != 0)
        return STATUS_OK;
    const enum status status = runner_judge(runner, &result, error);
    return status == STATUS_OK ? status : fail_in(error, status, "in a timed run");
}

bool fresh_is_wanted(const struct runner *runner, double last)
{
    const bool is_open = runner->fresh_least == 0 || runner->fresh_least > fresh_limit(runner, last);
    return is_possible(runner) && unpredictable_below(is_open ? 2 : 8) == 0;
}

/* Samples as they may be at most, and a call beside each. */
struct beside {
    double at_most[RANK_TEST_MOST], fresh[RANK_TEST_MOST];
    size_t count;
};

struct series {
    struct beside elapsed, used; /* by the host's or the device's clock; in CPU time */
    double sampled[RANK_TEST_MOST];
};

static void add(struct beside *beside, double at_most, double fresh)
{
    beside->at_most[beside->count] = at_most;
    beside->fresh[beside->count++] = fresh;
}

/* A sample and a call. In CPU time those calls count before which the threads that drew their inputs had come to rest.
 */
static enum status take_pair(struct runner *runner, bool cold, double usual, struct series *series, struct error *error)
{
    const bool counts = next_state(runner).rests || runner->estimate >= SPUN_NS;
    double *sampled = &series->sampled[series->elapsed.count], fresh = 0;
    thread_clocks_note();
    enum status status = measure_fetch(runner, cold, error);
    if (status == STATUS_OK)
        status = runner_sample(runner, cold, sampled, error);
    const double used = runner->processor;
    if (status == STATUS_OK)
        status = fresh_call(runner, cold, &fresh, error);
    const double used_fresh = runner->processor;
    if (status == STATUS_OK && fresh <= fresh_limit(runner, usual))
        status = fresh_judge(runner, 1, error);
    add(&series->elapsed, fresh_limit(runner, *sampled), fresh);
    if (counts)
        add(&series->used, limit(runner, used) + fresh_fetch_used(runner), used_fresh);
    return status;
}

/* Samples and calls in turn, until a call is as fast as `usual` allows. */
static enum status take_series(struct runner *runner, bool cold, double usual, struct series *series,
                               struct error *error)
{
    const int64_t start = clock_now();
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < PAIRS && runner->fresh_least > fresh_limit(runner, usual); i++) {
        if (i >= PAIRS_LEAST && (double)(clock_now() - start) > SERIES_NS)
            break;
        status = take_pair(runner, cold, usual, series, error);
    }
    return status;
}

/* Whether a test on ranks finds the calls longer than they may be. */
static bool are_longer(const struct beside *beside)
{
    struct rank_test test;
    return beside->count && rank_test(beside->at_most, beside->count, beside->fresh, beside->count, LEVEL, &test) &&
           test.p < LEVEL && test.shift > 0;
}

/* On a busy machine a call waits for a processor, and one behind a pause longer than a batch: the elapsed time of calls
 * on a CPU accuses nobody whose CPU time does not. */
static enum status refuse(const struct runner *runner, double usual, const struct series *series, struct error *error)
{
    char timed[32], later[32], fresh[32];
    const double now = statistics_median(series->sampled, series->elapsed.count);
    const bool on_cpu = runner->prepared.run.device->properties.is_cpu;
    text_duration(usual, timed, sizeof timed);
    text_duration(now, later, sizeof later);
    text_duration(runner->fresh_least, fresh, sizeof fresh);
    if (are_longer(&series->elapsed) && (!on_cpu || are_longer(&series->used)))
        return fail(error, STATUS_FAILED,
                    "a run takes %s on new inputs, and %s where they have changed in pieces: it uses what it kept from "
                    "earlier runs",
                    fresh, now < usual ? later : timed);
    return fail(error, STATUS_SYSTEM,
                "disturbed: a quarter of the timed runs took at most %s, later ones %s, and those on new inputs %s",
                timed, later, fresh);
}

enum status fresh_compare(struct runner *runner, bool cold, double usual, struct error *error)
{
    struct series series = {.elapsed.count = 0};
    double unused;
    enum status status = STATUS_OK;
    if (!is_possible(runner))
        return STATUS_OK;
    if (runner->fresh_least == 0) {
        status = fresh_call(runner, cold, &unused, error);
        status = status == STATUS_OK ? fresh_judge(runner, 1, error) : status;
    }
    for (size_t i = 0; status == STATUS_OK && i < SERIES; i++) {
        if (runner->fresh_least <= fresh_limit(runner, usual))
            return STATUS_OK;
        clock_sleep(pauses[i]);
        status = take_series(runner, cold, usual, &series, error);
    }
    thread_clocks_forget();
    if (status != STATUS_OK || runner->fresh_least <= fresh_limit(runner, usual))
        return status;
    return refuse(runner, usual, &series, error);
}
