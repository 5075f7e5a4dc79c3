#include "lab/ceilings/ceiling_confirm.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/under_way.h"
#include "lab/bench/describe.h"
#include "lab/bench/interrupt.h"
#include "lab/bench/rest.h"
#include "lab/bench/watch.h"
#include "lab/ceilings/probes.h"
#include "lab/ceilings/too_fast.h"
#include "lab/verification/audit.h"
#include "lab/verification/fresh_calls.h"

#define ROUNDS_MOST 31
#define ROUNDS_LEAST 11
#define SPENT_NS 1.5e9
#define SEARCHES 4 /* noise can mislead a search; every other one leaves out what was beaten */

/* The first round that no measurement of the bench has. */
static uint32_t next_round(const struct bench *bench)
{
    uint32_t next = 0;
    for (size_t i = 0; i < bench->runner_count; i++) {
        const struct samples *samples = &bench_measured(bench, &bench->runners[i])->phases[PHASE_COMPUTE];
        if (samples->count && samples->items[samples->count - 1].round != UINT32_MAX &&
            samples->items[samples->count - 1].round >= next)
            next = samples->items[samples->count - 1].round + 1;
    }
    return next;
}

struct turns {
    struct samples elapsed, used; /* ns by the rung's clock; ns of CPU time */
};

/* One sample of the rung or of its probe. As in the rounds, any sample of the rung may be audited. */
static enum status sample(struct bench *bench, struct runner *runner, bool spins, uint32_t round, struct turns *turns,
                          struct error *error)
{
    const bool cold = bench->options->cold;
    const int64_t start = clock_now();
    double nanoseconds = 0;
    runner->is_disturbed = bench->is_disturbed;
    if (runner->prepared.run.device->properties.is_cpu && spins) /* the rung's threads, after a run */
        wait_until_at_rest();
    enum status status = runner_sample(runner, cold, &nanoseconds, error);
    if (status == STATUS_OK &&
        (!samples_add(&turns->elapsed, nanoseconds, round) || !samples_add(&turns->used, runner->processor, round)))
        status = fail(error, STATUS_UNAVAILABLE, "no memory for another sample");
    runner->visited += (double)(clock_now() - start);
    if (status == STATUS_OK)
        status = audit_perhaps(runner, cold, nanoseconds, &bench_measured(bench, runner)->worst_error, error);
    bench->is_disturbed = runner->is_disturbed;
    return status;
}

static double median_of(const struct samples *samples)
{
    struct measurement measurement = {.phases[PHASE_COMPUTE] = *samples};
    return measurement_summary(&measurement, PHASE_COMPUTE).median;
}

/* Times both in turns and alternates which is first; `at_work` is the one of the last sample. After the timing, one
 * more run of the rung is always audited. */
static enum status hold_turns(struct bench *bench, struct runner *runner, struct runner *probe, struct turns turns[2],
                              struct runner **at_work, struct error *error)
{
    struct runner *const both[] = {runner, probe};
    const double before = runner->spent + probe->spent;
    const uint32_t first = next_round(bench);
    enum status status = STATUS_OK;
    runner->workspace->version = 0; /* forces fresh inputs: other rungs may have changed them */
    for (uint32_t i = 0; status == STATUS_OK && i < ROUNDS_MOST && !interrupt_requested(); i++) {
        if (i >= ROUNDS_LEAST && runner->spent + probe->spent - before > SPENT_NS)
            break;
        for (uint32_t turn = 0; status == STATUS_OK && turn < 2; turn++) {
            const uint32_t which = (i + turn) % 2;
            *at_work = both[which];
            status = sample(bench, both[which], !runner->candidate.rung->rests_soon, first + i, &turns[which], error);
        }
    }
    if (status != STATUS_OK)
        return status;
    *at_work = runner;
    status = audit_run(runner, bench->options->cold, false, &bench_measured(bench, runner)->worst_error, error);
    return status == STATUS_OK ? fresh_compare(runner, bench->options->cold, median_of(&turns[0].elapsed), error)
                               : status;
}

/* A stored ceiling's probe was released and has to be prepared again. */
static enum status make_ready(struct runner *probe, bool others, bool cold, struct error *error)
{
    enum status status = STATUS_OK;
    if (!probe->prepared.is_prepared) {
        const struct candidate candidate = probe->candidate;
        status = runner_prepare(probe, probe->workspace, &candidate, error);
    } else {
        status = ceiling_search_again(&probe->prepared.run, others, error);
    }
    return status == STATUS_OK ? runner_warm_up(probe, cold, error) : status;
}

static void join(struct samples *all, const struct samples *more)
{
    for (size_t i = 0; i < more->count; i++)
        samples_add(all, more->items[i].nanoseconds, more->items[i].round);
}

/* Mends the ceiling. The probe's new samples replace the old ones where they are shorter, or where the old ones were
 * stored; otherwise they join them. */
static void mend(struct bench *bench, const struct runner *probe, const struct samples *found)
{
    struct measurement *ceiling = bench_measured(bench, probe);
    struct samples *known = &ceiling->phases[PHASE_COMPUTE];
    const bool was_kept = known->count && known->items[0].round == UINT32_MAX;
    if (was_kept || median_of(found) < median_of(known)) {
        known->count = 0;
        ceiling->batch = probe->batch;
        snprintf(ceiling->detail, sizeof ceiling->detail, "%s", probe->prepared.run.detail);
    }
    join(known, found);
}

/* One search and its turns, as ceiling_confirm. */
static bool is_beaten(struct bench *bench, struct runner *runner, struct runner *probe, bool others, double passes,
                      struct beaten_ceiling *found)
{
    struct turns turns[2] = {0};
    const struct samples *rungs = &turns[0].elapsed, *probes = &turns[1].elapsed;
    struct runner *at_work = probe;
    struct error why;
    bool beaten = false;
    enum status status = make_ready(probe, others, bench->options->cold, &why);
    if (status == STATUS_OK) {
        watch_begin(&runner->candidate, bench->problem);
        status = hold_turns(bench, runner, probe, turns, &at_work, &why);
        under_way_end();
    }
    if (status != STATUS_OK && at_work == runner)
        bench_conclude(bench, runner, verdict_of(status), why.text);
    if (status == STATUS_OK && rungs->count && probes->count) {
        beaten = too_fast(rungs, probes, passes);
        found->share = median_of(probes) / median_of(rungs);
        found->is_certain =
            !runner->prepared.run.device->properties.is_cpu || maybe_too_fast(&turns[0].used, &turns[1].used, passes);
        if (!beaten) {
            mend(bench, probe, probes);
            join(&bench_measured(bench, runner)->phases[PHASE_COMPUTE], rungs);
        }
    }
    for (size_t i = 0; i < 2; i++) {
        free(turns[i].elapsed.items);
        free(turns[i].used.items);
    }
    return beaten;
}

bool ceiling_confirm(struct bench *bench, struct runner *runner, struct runner *probe, double passes,
                     struct beaten_ceiling *found)
{
    for (int search = 0; search < SEARCHES; search++)
        if (!is_beaten(bench, runner, probe, search % 2 == 1, passes, found))
            return false;
    return true;
}

enum status ceiling_follow_cores(struct bench *bench, struct runner *runner, struct error *error)
{
    const struct samples *looks = &bench->distances.looks;
    char *detail = bench_measured(bench, runner)->detail;
    if (!runner->is_probe || !looks->count || runner->prepared.run.device->backend->kind != BACKEND_CPU)
        return STATUS_OK;
    enum status status = ceiling_search_where(&runner->prepared.run, looks->items[looks->count - 1].nanoseconds, error);
    snprintf(detail, sizeof bench_measured(bench, runner)->detail, "%s", runner->prepared.run.detail);
    return status;
}
