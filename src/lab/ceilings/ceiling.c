#include "lab/ceilings/ceiling.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/message.h"
#include "base/threads.h"
#include "base/translation.h"
#include "base/under_way.h"
#include "lab/bench/background_load.h"
#include "lab/bench/core_latency.h"
#include "lab/bench/describe.h"
#include "lab/bench/interrupt.h"
#include "lab/bench/runner.h"

#define ROUNDS 12
#define VISIT_SAMPLES 8

/* One ceiling during its measurement. */
struct attempt {
    struct ceiling_plan plan;
    struct dataset data;
    struct workspace workspace;
    struct runner runner;
    bool has_data, has_workspace, active;
    size_t measurement; /* index into the list */
};

/* All ceilings of one device at one number of threads. */
struct party {
    const struct ceiling_options *options;
    struct device *device;
    struct measurement_list *list;
    unsigned threads;
    struct attempt attempts[CEILING_KINDS];
    struct core_latencies distances;     /* between the CPU's cores */
    struct processor_times begun, ended; /* the rounds */
    double done, share;                  /* of the progress bar: before this party, and this party's share */
};

static struct measurement *measured(const struct party *party, const struct attempt *attempt)
{
    return &party->list->items[attempt->measurement];
}

static void progress(const struct party *party, const char *what, double fraction)
{
    if (party->options->progress)
        party->options->progress(party->options->progress_context, what, party->done + party->share * fraction);
}

static void conclude(const struct party *party, struct attempt *attempt, enum verdict verdict, const char *reason)
{
    conclude_measurement(measured(party, attempt), verdict, reason);
    attempt->active = false;
}

static void describe(const struct party *party, struct attempt *attempt, struct measurement *measurement)
{
    const struct candidate candidate = {.device = party->device, .rung = attempt->plan.rung};
    const struct ceiling_info *info = ceiling_info(attempt->plan.kind);
    describe_measurement(measurement, &attempt->plan.problem, &candidate, true);
    snprintf(measurement->rung, sizeof measurement->rung, "%s", info->name);
    snprintf(measurement->idea, sizeof measurement->idea, "%s", info->counted);
    snprintf(measurement->rate_unit, sizeof measurement->rate_unit, "%s", info->unit);
    measurement->threads = party->threads;
}

/* Enters one ceiling. From here on it has a measurement, whatever the outcome. */
static enum status enter(struct party *party, struct attempt *attempt, struct error *error)
{
    struct measurement *measurement = measurement_list_add(party->list);
    if (!measurement)
        return fail(error, STATUS_UNAVAILABLE, "no memory for another measurement");
    attempt->measurement = party->list->count - 1;
    describe(party, attempt, measurement);
    if (attempt->plan.refusal[0]) {
        conclude(party, attempt, VERDICT_SKIP, attempt->plan.refusal);
        return STATUS_OK;
    }
    const struct candidate candidate = {.device = party->device, .rung = attempt->plan.rung};
    struct error why = {""};
    enum status status = dataset_create(&attempt->plan.problem, &attempt->data, &why);
    attempt->has_data = status == STATUS_OK;
    if (status == STATUS_OK)
        status = workspace_create(&attempt->data, party->device, &attempt->workspace, &why);
    attempt->has_workspace = status == STATUS_OK;
    if (status == STATUS_OK)
        status = runner_prepare(&attempt->runner, &attempt->workspace, &candidate, &why);
    attempt->runner.is_probe = true;
    snprintf(measurement->detail, sizeof measurement->detail, "%s", attempt->runner.prepared.run.detail);
    if (status == STATUS_OK)
        status = runner_warm_up(&attempt->runner, false, &why);
    attempt->active = status == STATUS_OK;
    if (status != STATUS_OK)
        conclude(party, attempt, verdict_of(status), why.text);
    return STATUS_OK;
}

/* One turn: the ceiling's share of the time, in at most VISIT_SAMPLES samples. */
static void visit(const struct party *party, struct attempt *attempt, uint32_t round)
{
    struct error why;
    double before = attempt->runner.spent, budget = party->options->seconds * 1e9 / ROUNDS;
    for (int i = 0; attempt->active && i < VISIT_SAMPLES && (i == 0 || attempt->runner.spent - before < budget); i++) {
        double nanoseconds;
        if (runner_sample(&attempt->runner, false, &nanoseconds, &why) != STATUS_OK)
            conclude(party, attempt, VERDICT_ERROR, why.text);
        else if (!samples_add(&measured(party, attempt)->phases[PHASE_COMPUTE], nanoseconds, round))
            conclude(party, attempt, VERDICT_ERROR, N_("no memory for another sample"));
    }
}

static void hold_rounds(struct party *party)
{
    party->begun = processor_times_now();
    for (uint32_t round = 0; round < ROUNDS && !interrupt_requested(); round++)
        for (int kind = 0; kind < CEILING_KINDS && !interrupt_requested(); kind++) {
            progress(party, ceiling_info((enum ceiling_kind)kind)->name, 0.3 + 0.7 * round / ROUNDS);
            if (party->threads)
                core_latencies_look(&party->distances, round);
            visit(party, &party->attempts[kind], round);
        }
    party->ended = processor_times_now();
}

static void warn(const struct party *party, struct measurement *measurement)
{
    double spread;
    if (party->device->properties.is_cpu &&
        background_warn(measurement->warnings, sizeof measurement->warnings, &party->begun, &party->ended))
        return;
    if (!ceiling_is_steady(measurement, &spread))
        explain(measurement->warnings, sizeof measurement->warnings,
                "not steady: nine tenths of the samples spread over %.0f %%", 100 * spread);
}

static void leave(struct party *party, struct attempt *attempt, bool interrupted)
{
    struct measurement *measurement = measured(party, attempt);
    measurement->batch = attempt->runner.batch;
    if (party->threads && attempt->active)
        cores_note(&party->distances.looks, measurement);
    if (interrupted)
        conclude(party, attempt, VERDICT_SKIP, N_("interrupted before it was known"));
    else if (attempt->active)
        warn(party, measurement);
    if (!interrupted && party->options->finished)
        party->options->finished(party->options->finished_context, measurement);
}

static void release(struct attempt *attempt)
{
    runner_finish(&attempt->runner);
    if (attempt->has_workspace)
        workspace_destroy(&attempt->workspace);
    if (attempt->has_data)
        dataset_destroy(&attempt->data);
}

static enum status measure(struct party *party, struct error *error)
{
    struct ceiling_plan plans[CEILING_KINDS];
    enum status status = STATUS_OK;
    int entered = 0;
    if (party->threads)
        threads_set((int)party->threads);
    if (!party->threads) /* not the CPU */
        under_way_begin(UNDER_WAY_DRIVER, party->device->id, "", party->device->id);
    ceiling_plan(party->device, party->threads, plans);
    for (; status == STATUS_OK && entered < CEILING_KINDS && !interrupt_requested(); entered++) {
        party->attempts[entered] = (struct attempt){.plan = plans[entered]};
        progress(party, ceiling_info(plans[entered].kind)->name, 0.3 * entered / CEILING_KINDS);
        status = enter(party, &party->attempts[entered], error);
        under_way_step();
    }
    if (status == STATUS_OK && entered == CEILING_KINDS)
        hold_rounds(party);
    for (int kind = 0; status == STATUS_OK && kind < entered; kind++)
        leave(party, &party->attempts[kind], interrupt_requested());
    for (int kind = 0; kind < entered; kind++)
        release(&party->attempts[kind]);
    core_latencies_free(&party->distances);
    under_way_end();
    return status == STATUS_OK && interrupt_requested() ? fail(error, STATUS_INTERRUPTED, "interrupted") : status;
}

/* Fills in 1, 2, 4 … and all, or 1 and all. Returns their number. */
static int thread_counts(int all, bool every, int counts[static 16])
{
    int count = 0;
    for (int threads = 1; threads < all && count < 15; threads *= 2)
        if (threads == 1 || every)
            counts[count++] = threads;
    counts[count++] = all;
    return count;
}

enum status lab_ceilings(struct device *device, const struct ceiling_options *options, struct measurement_list *list,
                         struct error *error)
{
    int counts[16] = {0}, count = 1, before = omp_get_max_threads();
    bool on_cpu = device->backend->kind == BACKEND_CPU;
    if (on_cpu)
        count = thread_counts(before, options->every_thread_count, counts);
    struct party *party = calloc(1, sizeof *party);
    if (!party)
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < count; i++) {
        *party = (struct party){.options = options,
                                .device = device,
                                .list = list,
                                .threads = (unsigned)counts[i],
                                .done = (double)i / count,
                                .share = 1.0 / count};
        status = measure(party, error);
    }
    if (on_cpu)
        threads_set(before);
    free(party);
    return status;
}
