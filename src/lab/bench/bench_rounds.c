#include "lab/bench/bench_record.h"

#include "base/clock.h"
#include "base/under_way.h"
#include "lab/bench/interrupt.h"
#include "lab/bench/rest.h"
#include "lab/bench/watch.h"
#include "lab/ceilings/ceiling_confirm.h"
#include "lab/verification/audit.h"

#define VISIT_NS 10e6 /* one rung's turn in a round */
#define VISIT_SAMPLES 5
#define LEAST_SAMPLES 5
#define CONVERGED_SAMPLES 15 /* with fewer samples the interval is not reliable */
#define CONVERGED_ROUNDS 10  /* with fewer rounds, two benches cannot be told apart by a rank test */
#define CLOCK_SHARE \
    4 /* the clock's time of a rung, over its runs': short runs on arrays that each changes have more between them */
#define LEFT_OUT_MOST 200  /* samples of a rung */
#define LOOK_SHARE 20      /* a look at the sensors may cost a twentieth of the time: NVML's takes milliseconds */
#define KEPT_NS 2000000000 /* interval between provisional results, ns */

static bool has_converged(const struct bench *bench, const struct runner *runner)
{
    const struct measurement *measurement = bench_measured(bench, runner);
    size_t count = measurement->phases[PHASE_COMPUTE].count;
    double budget = bench->options->seconds * 1e9;
    if (bench->options->repeat)
        return count >= bench->options->repeat;
    const double on_clock = runner->visited + runner->waited;
    if (bench->options->is_rough)
        return runner->spent > budget || (count >= CONVERGED_SAMPLES && on_clock > budget);
    if (count < bench->options->samples_least)
        return false;
    if (count < LEAST_SAMPLES)
        return runner->spent > 4 * budget;
    const unsigned rounds = measurement->phases[PHASE_COMPUTE].items[count - 1].round + 1;
    if (runner->spent > budget || on_clock > CLOCK_SHARE * budget ||
        (bench->options->rounds_most && rounds >= bench->options->rounds_most))
        return true;
    if (count < CONVERGED_SAMPLES || rounds < CONVERGED_ROUNDS)
        return false;
    struct summary summary = measurement_summary(measurement, PHASE_COMPUTE);
    return summary.high - summary.low <= 2 * bench->options->precision * summary.median;
}

/* Waits for the worker threads of another runtime on the same cores: they may still spin. Device queues do not disturb
 * each other. */
static void let_spin_down(const struct runner *previous, const struct runner *next)
{
    if (!previous || !next->prepared.run.device->properties.is_cpu || !previous->prepared.run.device->properties.is_cpu)
        return;
    if (previous->is_probe || previous->candidate.rung->rests_soon)
        return;
    bool same_runtime = previous->prepared.run.device == next->prepared.run.device && !next->is_probe &&
                        !next->candidate.rung->rests_soon && next->candidate.rung->kind != RUNG_VENDOR &&
                        previous->candidate.rung->kind == next->candidate.rung->kind;
    if (!same_runtime)
        wait_until_at_rest();
}

/* One end-to-end sample, for a publication's protocol. Its compute time is the rung's own part, by the host's clock. */
static enum status sample_whole(struct bench *bench, struct runner *runner, uint32_t round, double *compute,
                                struct error *error)
{
    double nanoseconds[PHASE_COUNT] = {0};
    enum status status = runner_end_to_end(runner, nanoseconds, error);
    *compute = nanoseconds[PHASE_COMPUTE] = nanoseconds[PHASE_LAUNCH];
    for (int phase = 0; status == STATUS_OK && phase < PHASE_COUNT; phase++)
        if (!samples_add(&bench_measured(bench, runner)->phases[phase], nanoseconds[phase], round))
            status = fail(error, STATUS_UNAVAILABLE, "no memory for another sample");
    return status;
}

static enum status take_sample(struct bench *bench, struct runner *runner, uint32_t round, double *nanoseconds,
                               struct error *error)
{
    struct measurement *measurement = bench_measured(bench, runner);
    enum status status = runner_sample(runner, bench->options->cold, nanoseconds, error);
    if (status == STATUS_OK && !samples_add(&measurement->phases[PHASE_COMPUTE], *nanoseconds, round))
        status = fail(error, STATUS_UNAVAILABLE, "no memory for another sample");
    return status;
}

/* The samples of one turn. Any of them may be audited. */
static enum status take_samples(struct bench *bench, struct runner *runner, uint32_t round, struct error *error)
{
    double *worst = &bench_measured(bench, runner)->worst_error, used = 0;
    enum status status = STATUS_OK;
    runner->is_disturbed = bench->is_disturbed;
    for (int i = 0; status == STATUS_OK && i < VISIT_SAMPLES && (i == 0 || used < VISIT_NS); i++) {
        double nanoseconds = 0;
        int64_t start = clock_now();
        if (bench->options->repeat) {
            status = sample_whole(bench, runner, round, &nanoseconds, error);
            used = VISIT_NS;
        } else {
            status = take_sample(bench, runner, round, &nanoseconds, error);
            used += nanoseconds * runner->batch;
        }
        runner->visited += (double)(clock_now() - start);
        if (status == STATUS_OK && !bench->options->is_rough)
            status = audit_perhaps(runner, bench->options->cold, nanoseconds, worst, error);
    }
    return status;
}

static void look_at_heat(struct heat *heat, const struct device *device)
{
    const int64_t start = clock_now();
    const struct sensors now = device_sense(device, false);
    heat->looked = clock_now();
    if (heat->cost == 0 || heat->looked - start < heat->cost)
        heat->cost = heat->looked - start;
    heat->is_hot = now.is_slowed || now.throttles != heat->throttles;
    heat->throttles = now.throttles;
}

/* Before the rungs run, as the sensors' library stays open. What the opening costs does not count. */
static void begin_heat(struct bench *bench, size_t workspace)
{
    if (bench->options->senses)
        look_at_heat(&bench->heats[workspace], bench->workspaces[workspace].device);
    bench->heats[workspace].cost = 0;
}

/* Whether heat has slowed the device down since the last look. Where looks take long, one stands for some time. */
static bool is_hot(const struct bench *bench, const struct workspace *workspace)
{
    struct heat *heat = &bench->heats[workspace - bench->workspaces];
    if (bench->options->senses && clock_now() - heat->looked >= LOOK_SHARE * heat->cost)
        look_at_heat(heat, workspace->device);
    return heat->is_hot;
}

/* Takes the samples of a turn back, as heat slowed the device down meanwhile. Where that never ends they are kept. */
static void leave_out(const size_t counts[PHASE_COUNT], struct measurement *measurement)
{
    if (measurement->throttled >= LEFT_OUT_MOST)
        return;
    measurement->throttled += (unsigned)(measurement->phases[PHASE_COMPUTE].count - counts[PHASE_COMPUTE]);
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        measurement->phases[phase].count = counts[phase];
}

/* Finds the rung that did the damage which `found` met, as not every turn ends with a full check. Only rungs that ran
 * since the last one can have done it, so each of them is verified once more. Returns whether one of them failed. */
static bool find_culprits(struct bench *bench, const struct runner *found)
{
    bool any = false;
    for (size_t i = 0; i < bench->runner_count; i++) {
        struct runner *suspect = &bench->runners[i];
        struct check_result result;
        struct error why;
        if (suspect == found || !suspect->prepared.is_prepared || suspect->is_probe ||
            suspect->workspace != found->workspace || !suspect->unchecked)
            continue;
        suspect->unchecked = false;
        if (bench_measured(bench, suspect)->verdict != VERDICT_PASS ||
            runner_verify(suspect, &result, &why) != STATUS_FAILED)
            continue;
        bench_conclude(bench, suspect, VERDICT_FAIL, why.text);
        any = true;
    }
    return any;
}

/* After a turn, before another rung runs: checks memory that the rung must not change. */
static enum status settle(struct bench *bench, struct runner *runner, struct error *error)
{
    if (runner->is_probe)
        return STATUS_OK;
    int64_t start = clock_now();
    bool in_full = audit_is_affordable(runner);
    enum status status = runner_settle(runner, in_full, error);
    runner->audited += (double)(clock_now() - start);
    for (size_t i = 0; status == STATUS_OK && in_full && i < bench->runner_count; i++)
        if (bench->runners[i].workspace == runner->workspace)
            bench->runners[i].unchecked = false;
    return status == STATUS_OK ? status : fail_in(error, status, "in a timed run");
}

static void visit(struct bench *bench, struct runner *runner, uint32_t round)
{
    struct measurement *measurement = bench_measured(bench, runner);
    struct error why;
    size_t counts[PHASE_COUNT];
    enum status status = ceiling_follow_cores(bench, runner, &why);
    runner_begin_turn(runner);
    if (status == STATUS_OK && round == 0)
        status = runner_warm_up(runner, bench->options->cold, &why);
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        counts[phase] = measurement->phases[phase].count;
    if (status == STATUS_OK)
        status = take_samples(bench, runner, round, &why);
    if (is_hot(bench, runner->workspace))
        leave_out(counts, measurement);
    if (status == STATUS_OK)
        status = settle(bench, runner, &why);
    bool is_certain = status == STATUS_OK; /* any change of the process state happened in this turn */
    status = runner_end_turn(runner, status, &why);
    bench->is_disturbed = runner->is_disturbed;
    measurement->batch = runner->batch;
    if (status == STATUS_OK)
        return;
    runner->unchecked = true;
    if (!is_certain && status == STATUS_FAILED && find_culprits(bench, runner))
        return;
    bench_conclude(bench, runner, status == STATUS_FAILED ? VERDICT_FAIL : VERDICT_ERROR, why.text);
}

/* A probe stays active as long as some rung of its device does. */
static bool wanted(const struct bench *bench, const struct runner *runner)
{
    if (!runner->active || !runner->is_probe)
        return runner->active;
    for (size_t i = 0; i < bench->runner_count; i++)
        if (bench->runners[i].active && !bench->runners[i].is_probe && bench->runners[i].workspace == runner->workspace)
            return true;
    return false;
}

/* The part of the rungs' time that is spent, 0 to 1. */
static double part_done(const struct bench *bench)
{
    const double budget = bench->options->seconds * 1e9;
    double done = 0;
    size_t entered = 0;
    for (size_t i = 0; i < bench->runner_count; i++) {
        const struct runner *runner = &bench->runners[i];
        if (runner->is_probe || bench_measured(bench, runner)->verdict != VERDICT_PASS)
            continue;
        entered++;
        done += !runner->active || runner->spent >= budget ? 1 : runner->spent / budget;
    }
    return entered ? done / (double)entered : 1;
}

/* Deactivates the rungs whose samples are complete, and passes them on with the probes of their device. Returns how
 * many rungs remain active. */
static size_t let_rest(struct bench *bench)
{
    size_t left = 0;
    for (size_t i = 0; i < bench->runner_count; i++) {
        struct runner *runner = &bench->runners[i];
        if (runner->is_probe || !runner->active)
            continue;
        runner->active = !has_converged(bench, runner);
        left += runner->active;
        for (size_t j = 0; !runner->active && j <= i; j++)
            if (j == i || (bench->runners[j].is_probe && bench->runners[j].workspace == runner->workspace))
                bench_hand_over(bench, &bench->runners[j], false);
    }
    return left;
}

/* Samples the latency between the cores that CPU rungs run on: memory bandwidth may change with it. */
static void look_at_cores(struct bench *bench, const struct runner *next, uint32_t round)
{
    if (next->prepared.run.device->backend->kind == BACKEND_CPU)
        core_latencies_look(&bench->distances, round);
}

/* Passes all measurements provisionally, so that little is lost if the program is killed. Returns the time at which it
 * was done. */
static int64_t hand_all_over(struct bench *bench)
{
    bench->handing_over = true;
    for (size_t i = 0; i < bench->runner_count; i++) {
        const struct measurement *measurement = bench_measured(bench, &bench->runners[i]);
        bool is_concluded = measurement->verdict != VERDICT_PASS;
        if (is_concluded || measurement->phases[PHASE_COMPUTE].count)
            bench_hand_over(bench, &bench->runners[i], is_concluded);
    }
    return clock_now();
}

void bench_hold_rounds(struct bench *bench)
{
    int64_t kept = clock_now();
    size_t left = 0;
    for (size_t i = 0; i < bench->runner_count; i++)
        left += bench->runners[i].active && !bench->runners[i].is_probe;
    for (size_t i = 0; i < bench->workspace_count; i++)
        begin_heat(bench, i);
    bench->begun = processor_times_now();
    const struct runner *previous = NULL;
    for (uint32_t round = 0; left > 0 && !interrupt_requested(); round++) {
        for (size_t i = 0; i < bench->runner_count && !interrupt_requested(); i++) {
            struct runner *runner = &bench->runners[i];
            if (!wanted(bench, runner))
                continue;
            bench_progress(bench, runner->candidate.rung->name,
                           BENCH_ENTERED + (BENCH_TIMED - BENCH_ENTERED) * part_done(bench));
            const int64_t waits = clock_now();
            let_spin_down(previous, runner);
            runner->waited += (double)(clock_now() - waits);
            look_at_cores(bench, runner, round);
            watch_begin(&runner->candidate, bench->problem);
            visit(bench, runner, round);
            under_way_end();
            previous = runner;
        }
        if (round == 0 || clock_now() - kept > KEPT_NS)
            kept = hand_all_over(bench);
        left = let_rest(bench);
    }
    bench->ended = processor_times_now();
    bench->handing_over = true;
}
