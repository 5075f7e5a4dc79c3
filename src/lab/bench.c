#include "lab/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "lab/core_distance.h"
#include "lab/describe.h"
#include "lab/interrupt.h"
#include "lab/kept.h"
#include "lab/limit.h"
#include "lab/runner.h"

#define VISIT_NS 10e6 /* one rung's turn in a round */
#define VISIT_SAMPLES 5
#define LEAST_SAMPLES 5
#define CONVERGED_SAMPLES 15  /* before this many the interval is not believed */
#define CONVERGED_ROUNDS 10   /* … and two runs cannot be told apart by their rounds */
#define KEPT_NS 2000000000    /* what is being timed is handed over so often */
#define SPIN_DOWN_NS 20000000 /* some libraries' workers keep spinning this long after a call */
#define WHOLE_SAMPLES_LEAST 3
#define WHOLE_SAMPLES_MOST 9
#define LIGHT_SPEED 0.80 /* a median below this fraction of the limit's best time cannot be */
#define LIGHT_CACHES 4   /* … for problems this many times larger than the last cache */
#define UNSTEADY 0.10    /* quartiles this far apart, relative to the median, are worth a warning */

/* Everything one problem needs while it is benched. */
struct bench {
    const struct problem *problem;
    const struct bench_options *options;
    struct measurement_list *list;
    struct dataset data;
    struct workspace *workspaces; /* one per device in use */
    size_t workspace_count;
    struct runner *runners;
    size_t runner_count;
    struct core_distances distances;
};

struct bench_options bench_defaults(void)
{
    return (struct bench_options){.seconds = 1.0, .precision = 0.01, .whole = true, .limit = true};
}

static void progress(const struct bench *bench, const char *what, double fraction)
{
    if (bench->options->progress)
        bench->options->progress(bench->options->progress_context, what, fraction);
}

static struct measurement *measured(const struct bench *bench, const struct runner *runner)
{
    return &bench->list->items[runner->measurement];
}

/* Hands a runner's measurement over: for good, or as it stands while others are still being timed. */
static void hand_over(const struct bench *bench, struct runner *runner, bool for_good)
{
    struct measurement *measurement = measured(bench, runner);
    if (!bench->options->finished || runner->finished)
        return;
    runner->finished = for_good;
    if (runner->prepared && runner->run.device->backend->kind == BACKEND_CPU)
        measurement->core_distance = core_distances_median(&bench->distances);
    if (!for_good)
        strcpy(measurement->warnings, "the run was cut short before this was timed in full and checked a second time");
    bench->options->finished(bench->options->finished_context, measurement);
    if (!for_good)
        measurement->warnings[0] = 0;
}

/* Ends a runner's part with a verdict and its reason; a wrong rung's times are not kept. */
static void conclude(const struct bench *bench, struct runner *runner, enum verdict verdict, const char *reason)
{
    conclude_measurement(measured(bench, runner), verdict, reason);
    runner->active = false;
    hand_over(bench, runner, true);
}

static struct workspace *workspace_on(struct bench *bench, struct device *device, struct error *error)
{
    for (size_t i = 0; i < bench->workspace_count; i++)
        if (bench->workspaces[i].device == device)
            return &bench->workspaces[i];
    struct workspace *added = &bench->workspaces[bench->workspace_count];
    if (workspace_create(&bench->data, device, added, error) != STATUS_OK)
        return NULL;
    bench->workspace_count++;
    return added;
}

/* Prepares and verifies one contender; from here on it is a measurement, whatever becomes of it. */
static enum status enter(struct bench *bench, const struct contender *contender, bool is_limit, struct error *error)
{
    struct measurement *measurement = measurement_list_add(bench->list);
    if (!measurement)
        return fail(error, STATUS_UNAVAILABLE, "no memory for another measurement");
    describe_measurement(measurement, bench->problem, contender, is_limit);
    measurement->cold = bench->options->cold;
    struct runner *runner = &bench->runners[bench->runner_count++];
    *runner = (struct runner){
        .contender = *contender, .is_limit = is_limit, .measurement = bench->list->count - 1, .batch = 1};

    char reason[sizeof measurement->reason];
    struct error why = {""};
    const char *refusal =
        rung_refuses(contender->rung, bench->problem, contender->device, &contender->parameters, reason, sizeof reason);
    if (refusal) {
        conclude(bench, runner, VERDICT_SKIP, refusal);
        return STATUS_OK;
    }
    struct workspace *workspace = workspace_on(bench, contender->device, &why);
    enum status status = workspace ? runner_prepare(runner, workspace, contender, &why) : STATUS_UNAVAILABLE;
    struct check_result result = {.passed = true};
    snprintf(measurement->detail, sizeof measurement->detail, "%s", runner->run.detail);
    if (status == STATUS_OK && !is_limit)
        status = runner_verify(runner, POISON_BEFORE, true, &result, &why);
    measurement->worst_error = result.worst;
    snprintf(measurement->worst_where, sizeof measurement->worst_where, "%s", result.where);
    if (status != STATUS_OK)
        conclude(bench, runner, verdict_of(status), why.text);
    runner->active = status == STATUS_OK;
    if (is_limit && runner->active &&
        kept_stands_for(runner, bench->options->ceilings, bench->options->cold, measurement)) {
        runner_finish(runner);
        runner->active = false;
    }
    return STATUS_OK;
}

static bool has_converged(const struct bench *bench, const struct runner *runner)
{
    const struct measurement *measurement = measured(bench, runner);
    size_t count = measurement->phases[PHASE_COMPUTE].count;
    double budget = bench->options->seconds * 1e9;
    if (bench->options->repeat)
        return count >= bench->options->repeat;
    if (count < LEAST_SAMPLES)
        return runner->spent > 4 * budget;
    if (runner->spent > budget)
        return true;
    if (count < CONVERGED_SAMPLES || measurement->phases[PHASE_COMPUTE].items[count - 1].round + 1 < CONVERGED_ROUNDS)
        return false;
    struct summary summary = measurement_summary(measurement, PHASE_COMPUTE);
    return summary.high - summary.low <= 2 * bench->options->precision * summary.median;
}

/* Workers of another runtime on the same cores may still spin; device queues do not disturb each other. */
static void let_spin_down(const struct runner *previous, const struct runner *next)
{
    if (!previous || !next->run.device->properties.is_cpu || !previous->run.device->properties.is_cpu)
        return;
    bool same_runtime =
        previous->run.device == next->run.device && previous->contender.rung->kind == next->contender.rung->kind;
    if (!same_runtime)
        clock_sleep(SPIN_DOWN_NS);
}

/* One whole time, for a publication's protocol; the rung's own part of it, by the host's clock, is the compute time. */
static enum status sample_whole(struct bench *bench, struct runner *runner, uint32_t round, struct error *error)
{
    double nanoseconds[PHASE_COUNT] = {0};
    enum status status = runner_whole(runner, nanoseconds, error);
    nanoseconds[PHASE_COMPUTE] = nanoseconds[PHASE_LAUNCH];
    for (int phase = 0; status == STATUS_OK && phase < PHASE_COUNT; phase++)
        if (!samples_add(&measured(bench, runner)->phases[phase], nanoseconds[phase], round))
            status = fail(error, STATUS_UNAVAILABLE, "no memory for another sample");
    return status;
}

static void visit(struct bench *bench, struct runner *runner, uint32_t round)
{
    struct error why;
    double used = 0;
    enum status status = STATUS_OK;
    if (round == 0)
        status = runner_warm_up(runner, bench->options->cold, &why);
    if (status == STATUS_OK && bench->options->repeat)
        status = sample_whole(bench, runner, round, &why);
    for (int i = 0; status == STATUS_OK && !bench->options->repeat && i < VISIT_SAMPLES && (i == 0 || used < VISIT_NS);
         i++) {
        double nanoseconds;
        status = runner_sample(runner, bench->options->cold, &nanoseconds, &why);
        if (status == STATUS_OK && !samples_add(&measured(bench, runner)->phases[PHASE_COMPUTE], nanoseconds, round))
            status = fail(&why, STATUS_UNAVAILABLE, "no memory for another sample");
        used += nanoseconds * runner->batch;
    }
    measured(bench, runner)->batch = runner->batch;
    if (status != STATUS_OK)
        conclude(bench, runner, VERDICT_ERROR, why.text);
}

/* A probe goes on while some rung of its device does. */
static bool wanted(const struct bench *bench, const struct runner *runner)
{
    if (!runner->active || !runner->is_limit)
        return runner->active;
    for (size_t i = 0; i < bench->runner_count; i++)
        if (bench->runners[i].active && !bench->runners[i].is_limit && bench->runners[i].workspace == runner->workspace)
            return true;
    return false;
}

/* What has all its samples by now rests, and is handed over with its device's probes. Returns how many rungs go on. */
static size_t let_rest(struct bench *bench)
{
    size_t left = 0;
    for (size_t i = 0; i < bench->runner_count; i++) {
        struct runner *runner = &bench->runners[i];
        if (runner->is_limit || !runner->active)
            continue;
        runner->active = !has_converged(bench, runner);
        left += runner->active;
        for (size_t j = 0; !runner->active && j <= i; j++)
            if (j == i || (bench->runners[j].is_limit && bench->runners[j].workspace == runner->workspace))
                hand_over(bench, &bench->runners[j], false);
    }
    return left;
}

/* Where the cpu's rungs run, how far apart their cores are: a machine changes with it. */
static void look_at_cores(struct bench *bench, uint32_t round)
{
    for (size_t i = 0; i < bench->workspace_count; i++)
        if (bench->workspaces[i].device->backend->kind == BACKEND_CPU)
            core_distances_look(&bench->distances, round);
}

/* All that is being timed, as it stands: should the program be killed, little is lost. Returns when it was done. */
static int64_t hand_all_over(struct bench *bench)
{
    for (size_t i = 0; i < bench->runner_count; i++)
        if (measured(bench, &bench->runners[i])->phases[PHASE_COMPUTE].count)
            hand_over(bench, &bench->runners[i], false);
    return clock_now();
}

static void hold_rounds(struct bench *bench)
{
    int64_t kept = clock_now();
    size_t entered = 0, left = 0;
    for (size_t i = 0; i < bench->runner_count; i++)
        entered += bench->runners[i].active && !bench->runners[i].is_limit;
    left = entered;
    for (uint32_t round = 0; left > 0 && !interrupt_requested(); round++) {
        const struct runner *previous = NULL;
        look_at_cores(bench, round);
        for (size_t i = 0; i < bench->runner_count && !interrupt_requested(); i++) {
            struct runner *runner = &bench->runners[i];
            if (!wanted(bench, runner))
                continue;
            progress(bench, runner->contender.rung->name, 0.1 + 0.8 * (1 - (double)left / (double)entered));
            let_spin_down(previous, runner);
            visit(bench, runner, round);
            previous = runner;
        }
        left = let_rest(bench);
        if (left > 0 && clock_now() - kept > KEPT_NS)
            kept = hand_all_over(bench);
    }
}

static void time_whole(struct bench *bench, struct runner *runner)
{
    struct measurement *measurement = measured(bench, runner);
    const struct device *device = runner->run.device;
    if (!bench->options->whole || bench->options->repeat || runner->is_limit || device->backend->kind == BACKEND_CPU ||
        device_is_null(device))
        return;
    double spent = 0, budget = bench->options->seconds * 0.25e9;
    for (uint32_t i = 0; i < WHOLE_SAMPLES_MOST && (i < WHOLE_SAMPLES_LEAST || spent < budget); i++) {
        double nanoseconds[PHASE_COUNT] = {0};
        struct error why;
        if (interrupt_requested() || runner_whole(runner, nanoseconds, &why) != STATUS_OK)
            return;
        for (int phase = PHASE_WHOLE; phase < PHASE_COUNT; phase++)
            samples_add(&measurement->phases[phase], nanoseconds[phase], i);
        spent += nanoseconds[PHASE_WHOLE];
    }
}

/* The second verification, the whole times, and what the samples themselves give away. */
static void leave(struct bench *bench, struct runner *runner)
{
    struct measurement *measurement = measured(bench, runner);
    if (!runner->prepared || measurement->verdict != VERDICT_PASS)
        return;
    if (!measurement->phases[PHASE_COMPUTE].count) {
        runner->finished = true; /* and not kept: there is nothing to it */
        conclude(bench, runner, VERDICT_SKIP, "interrupted before it was timed");
        return;
    }
    struct error why;
    struct check_result result;
    if (!runner->is_limit) {
        enum status status = runner_verify(runner, POISON_AFTER, false, &result, &why);
        if (status != STATUS_OK) {
            fail_in(&why, status, "after the timing");
            conclude(bench, runner, verdict_of(status), why.text);
            return;
        }
        measurement->worst_error = fmax(measurement->worst_error, result.worst);
    }
    time_whole(bench, runner);
    struct summary summary = measurement_summary(measurement, PHASE_COMPUTE);
    if (summary.quartile3 - summary.quartile1 > UNSTEADY * summary.median)
        snprintf(measurement->warnings, sizeof measurement->warnings,
                 "unsteady: half of the samples spread over %.0f %%",
                 100 * (summary.quartile3 - summary.quartile1) / summary.median);
}

/* Faster than the hardware is a mistake somewhere, not a record. A rung that does several passes in one moves less
 * than the limit's probe, but no less than one pass does. */
static void hold_against_limit(struct bench *bench, struct runner *runner)
{
    struct measurement *measurement = measured(bench, runner);
    if (!runner->prepared || runner->is_limit || measurement->verdict != VERDICT_PASS)
        return;
    const struct measurement *limit = measurement_limit(bench->list, measurement);
    if (!limit)
        return;
    snprintf(measurement->limit, sizeof measurement->limit, "%s", limit->rung);
    if (!limit_is_of_memory(limit->rung))
        return;
    double cache = (double)runner->run.device->properties.cache_bytes;
    int cost_passes = bench->problem->kernel->cost(bench->problem).passes;
    double passes = cost_passes > 1 ? cost_passes : 1;
    double moved = measurement->bytes / passes, fused = runner->contender.rung->fuses ? passes : 1;
    double best_limit = measurement_summary(limit, PHASE_COMPUTE).minimum;
    double median = measurement_summary(measurement, PHASE_COMPUTE).median;
    if (moved < LIGHT_CACHES * cache || median >= LIGHT_SPEED * best_limit / fused)
        return;
    char reason[128];
    snprintf(reason, sizeof reason,
             "%.0f %% of the limit: faster than this machine can move the data, so the figure is wrong",
             100 * best_limit / median);
    conclude(bench, runner, VERDICT_ERROR, reason);
}

static enum status enter_all(struct bench *bench, const struct contender *contenders, size_t count, struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (interrupt_requested())
            return STATUS_OK;
        progress(bench, contenders[i].rung->name, 0.1 * (double)i / (double)count);
        bool is_new_device = true;
        for (size_t j = 0; j < i; j++)
            is_new_device = is_new_device && contenders[j].device != contenders[i].device;
        const struct rung *limits[LIMITS_MAX];
        size_t limit_count = bench->options->limit && !bench->options->repeat && is_new_device
                                 ? limit_rungs(bench->problem, contenders[i].device, limits)
                                 : 0;
        enum status status = STATUS_OK;
        for (size_t l = 0; status == STATUS_OK && l < limit_count; l++) {
            struct contender probe = {.device = contenders[i].device, .rung = limits[l]};
            status = enter(bench, &probe, true, error);
        }
        if (status == STATUS_OK)
            status = enter(bench, &contenders[i], false, error);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

enum status lab_bench(const struct problem *problem, const struct contender *contenders, size_t count,
                      const struct bench_options *options, struct measurement_list *list, struct error *error)
{
    struct bench bench = {.problem = problem, .options = options, .list = list};
    enum status status = comparator_self_test(error);
    if (status == STATUS_OK)
        status = dataset_create(problem, &bench.data, error);
    if (status != STATUS_OK)
        return status;
    bench.workspaces = calloc(count + 1, sizeof *bench.workspaces);
    bench.runners = calloc((1 + LIMITS_MAX) * count + 1, sizeof *bench.runners);
    if (!bench.workspaces || !bench.runners)
        status = fail(error, STATUS_UNAVAILABLE, "no memory for %zu rungs", count);
    if (status == STATUS_OK)
        status = enter_all(&bench, contenders, count, error);
    if (status == STATUS_OK) {
        hold_rounds(&bench);
        for (size_t i = 0; i < bench.runner_count; i++)
            leave(&bench, &bench.runners[i]);
        for (size_t i = 0; i < bench.runner_count; i++) {
            hold_against_limit(&bench, &bench.runners[i]);
            hand_over(&bench, &bench.runners[i], true);
        }
    }
    for (size_t i = 0; i < bench.runner_count; i++)
        runner_finish(&bench.runners[i]);
    for (size_t i = 0; i < bench.workspace_count; i++)
        workspace_destroy(&bench.workspaces[i]);
    free(bench.runners);
    free(bench.workspaces);
    dataset_destroy(&bench.data);
    return status == STATUS_OK && interrupt_requested() ? fail(error, STATUS_INTERRUPTED, "interrupted") : status;
}
