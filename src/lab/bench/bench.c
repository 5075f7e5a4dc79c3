#include "lab/bench/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/floating_state.h"
#include "base/message.h"
#include "base/translation.h"
#include "base/under_way.h"
#include "lab/bench/bench_record.h"
#include "lab/bench/describe.h"
#include "lab/bench/interrupt.h"
#include "lab/bench/memory_need.h"
#include "lab/bench/runner.h"
#include "lab/bench/watch.h"
#include "lab/ceilings/ceiling_judgement.h"
#include "lab/ceilings/probes.h"
#include "lab/ceilings/stored_ceiling.h"
#include "lab/verification/audit.h"
#include "lab/verification/fresh_calls.h"

/* Inputs that show more than the problem's own, at the size that is timed. */

/* Inputs that need other arguments as well: the rung is prepared for these, as if they had been the problem. */
static enum status verify_prepared_anew(struct runner *runner, const struct problem *exact, struct error *error)
{
    struct dataset *data = runner->workspace->data;
    struct problem timed = data->problem;
    struct runner another = {0};
    struct check_result result;
    char text[PROBLEM_TEXT_MAX];
    data->problem = *exact;
    enum status status = runner_prepare(&another, runner->workspace, &runner->candidate, error);
    if (status == STATUS_OK)
        status = runner_verify(&another, &result, error);
    runner_finish(&another);
    data->problem = timed;
    return status == STATUS_OK ? status : fail_in(error, status, "on %s", problem_text(exact, text));
}

/* Verifies the runner's rung on the kernel's most telling inputs (dataset_exact_problem). Where no right rung rounds,
 * what is within the tolerance of other inputs (a term dropped, a last digit) shows; elsewhere NaNs, -0, values that
 * repeat, and lines of zeros. Brings new inputs of the problem's own kind
 * afterwards. STATUS_OK, too, where there are no such inputs, or the rung refuses them. */
static enum status runner_verify_exactly(struct runner *runner, struct error *error)
{
    struct problem exact;
    char reason[256];
    bool is_same_run;
    const struct candidate *candidate = &runner->candidate;
    struct dataset *data = runner->workspace->data;
    struct check_result result;
    if (!dataset_exact_problem(data, &exact, &is_same_run) ||
        rung_refuses(candidate->rung, &exact, candidate->device, &candidate->parameters, reason, sizeof reason))
        return STATUS_OK;
    dataset_renew_as(data, &exact);
    enum status status =
        is_same_run ? runner_verify(runner, &result, error) : verify_prepared_anew(runner, &exact, error);
    dataset_renew(data);
    return status == STATUS_OK ? status : fail_in(error, status, "after the timing");
}

#define WHOLE_SAMPLES_LEAST 3
#define WHOLE_SAMPLES_MOST 9

struct bench_options bench_defaults(void)
{
    return (struct bench_options){
        .seconds = 1.0, .precision = 0.01, .end_to_end = true, .probe_ceilings = true, .senses = true};
}

static enum status workspace_on(struct bench *bench, struct device *device, struct workspace **found,
                                struct error *error)
{
    for (size_t i = 0; i < bench->workspace_count; i++)
        if (bench->workspaces[i].device == device) {
            *found = &bench->workspaces[i];
            return STATUS_OK;
        }
    *found = &bench->workspaces[bench->workspace_count];
    const enum status status = workspace_create(&bench->data, device, *found, error);
    bench->workspace_count += status == STATUS_OK;
    return status;
}

/* Prepares and verifies one candidate. From here on it has a measurement, whatever the outcome. */
static enum status enter(struct bench *bench, const struct candidate *candidate, bool is_probe, struct error *error)
{
    struct measurement *measurement = measurement_list_add(bench->list);
    if (!measurement)
        return fail(error, STATUS_UNAVAILABLE, "no memory for another measurement");
    describe_measurement(measurement, bench->problem, candidate, is_probe);
    measurement->cold = bench->options->cold;
    if (is_probe)
        measurement->operations = probe_operations(candidate->rung, bench->problem);
    struct runner *runner = &bench->runners[bench->runner_count++];
    *runner = (struct runner){
        .candidate = *candidate,
        .is_probe = is_probe,
        .is_rough = bench->options->is_rough,
        .counts.is_wanted = bench->options->counters && !is_probe,
        .measurement = bench->list->count - 1,
        .batch = 1,
    };

    char reason[sizeof measurement->reason];
    struct error why = {""};
    watch_begin(candidate, bench->problem);
    runner_begin_turn(runner);
    const char *refusal =
        rung_refuses(candidate->rung, bench->problem, candidate->device, &candidate->parameters, reason, sizeof reason);
    if (refusal) {
        under_way_end();
        bench_conclude(bench, runner, VERDICT_SKIP, refusal);
        return STATUS_OK;
    }
    struct workspace *workspace;
    enum status status = workspace_on(bench, candidate->device, &workspace, &why);
    if (status == STATUS_OK)
        status = runner_prepare(runner, workspace, candidate, &why);
    struct check_result result = {.passed = true};
    snprintf(measurement->detail, sizeof measurement->detail, "%s", runner->prepared.run.detail);
    if (status == STATUS_OK && !is_probe && !bench->options->is_rough)
        status = runner_verify(runner, &result, &why);
    status = runner_end_turn(runner, status, &why);
    under_way_end();
    measurement->worst_error = result.worst;
    snprintf(measurement->worst_where, sizeof measurement->worst_where, "%s", result.where);
    if (status != STATUS_OK)
        bench_conclude(bench, runner, verdict_of(status), why.text);
    runner->active = status == STATUS_OK;
    if (is_probe && runner->active &&
        stored_ceiling_serves(runner, bench->options->ceilings, bench->options->cold, measurement)) {
        runner_finish(runner);
        runner->active = false;
    }
    return STATUS_OK;
}

static void time_end_to_end(struct bench *bench, struct runner *runner)
{
    struct measurement *measurement = bench_measured(bench, runner);
    const struct device *device = runner->prepared.run.device;
    if (!bench->options->end_to_end || bench->options->repeat || runner->is_probe ||
        device->backend->kind == BACKEND_CPU || device_is_null(device))
        return;
    double spent = 0, budget = bench->options->seconds * 0.25e9;
    for (uint32_t i = 0; i < WHOLE_SAMPLES_MOST && (i < WHOLE_SAMPLES_LEAST || spent < budget); i++) {
        double nanoseconds[PHASE_COUNT] = {0};
        struct error why;
        if (interrupt_requested() || runner_end_to_end(runner, nanoseconds, &why) != STATUS_OK)
            return;
        for (int phase = PHASE_END_TO_END; phase < PHASE_COUNT; phase++)
            samples_add(&measurement->phases[phase], nanoseconds[phase], i);
        spent += nanoseconds[PHASE_END_TO_END];
    }
}

/* A rung of the ladder keeps nothing from earlier calls, whatever a busy machine makes of its times: a doubt that other
 * programs caused is a warning there. A rung that was added stays without a verdict. */
static enum status excuse_noise(struct bench *bench, const struct runner *runner, enum status status,
                                const struct error *error)
{
    struct measurement *measurement = bench_measured(bench, runner);
    if (status != STATUS_SYSTEM || strncmp(error->text, DISTURBED, strlen(DISTURBED)) != 0 ||
        !kernel_ladder_has(bench->problem->kernel, runner->candidate.rung))
        return status;
    if (!measurement->warnings[0])
        explain(measurement->warnings, sizeof measurement->warnings, "%s", error->text);
    return STATUS_OK;
}

/* Runs in the timed form, then one run on unseen inputs. */
static enum status verify_again(struct bench *bench, struct runner *runner, struct error *error)
{
    struct measurement *measurement = bench_measured(bench, runner);
    struct check_result result = {0};
    runner->workspace->version = 0; /* whatever others did to the inputs */
    const double usual = measurement_summary(measurement, PHASE_COMPUTE).quartile1;
    enum status status = excuse_noise(bench, runner, audit_pace(runner, bench->options->cold, error), error);
    if (status == STATUS_OK)
        status = audit_last(runner, bench->options->cold, &measurement->worst_error, error);
    if (status == STATUS_OK)
        status = excuse_noise(bench, runner, fresh_compare(runner, bench->options->cold, usual, error), error);
    if (status == STATUS_OK)
        status = runner_verify_exactly(runner, error);
    if (status != STATUS_OK)
        return status;
    dataset_renew(&bench->data);
    status = runner_verify(runner, &result, error);
    measurement->worst_error = fmax(measurement->worst_error, result.worst);
    return status == STATUS_OK ? status : fail_in(error, status, "after the timing");
}

static void warn_of_throttling(struct measurement *measurement)
{
    if (measurement->throttled && !measurement->warnings[0])
        explain(measurement->warnings, sizeof measurement->warnings,
                "throttled: heat slowed the device down; %u samples are left out", measurement->throttled);
}

/* The second verification, the end-to-end times, and the warnings that follow from the samples. */
static void leave(struct bench *bench, struct runner *runner)
{
    struct measurement *measurement = bench_measured(bench, runner);
    if (!runner->prepared.is_prepared || measurement->verdict != VERDICT_PASS || bench->options->is_rough)
        return;
    if (!measurement->phases[PHASE_COMPUTE].count) {
        runner->finished = true; /* and not kept: there is nothing to it */
        bench_conclude(bench, runner, VERDICT_SKIP,
                       interrupt_requested()    ? N_("interrupted before it was timed")
                       : measurement->throttled ? N_("not timed: heat slowed the device down in every round")
                                                : N_("not timed: no rung passed that it would be the ceiling of"));
        return;
    }
    struct error why;
    watch_begin(&runner->candidate, bench->problem);
    runner_begin_turn(runner);
    enum status status = runner->is_probe ? STATUS_OK : verify_again(bench, runner, &why);
    if (status == STATUS_OK)
        time_end_to_end(bench, runner);
    status = runner_end_turn(runner, status, &why);
    if (status != STATUS_OK) {
        under_way_end();
        bench_conclude(bench, runner, verdict_of(status), why.text);
        return;
    }
    runner_tell_fallbacks(runner, measurement->detail, sizeof measurement->detail);
    under_way_end();
    bench_note_cores(bench, runner);
    ceiling_warn(bench, runner);
    warn_of_throttling(measurement);
    run_counts_note(&runner->counts, measurement);
}

static enum status enter_all(struct bench *bench, const struct candidate *candidates, size_t count, struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (interrupt_requested())
            return STATUS_OK;
        bench_progress(bench, candidates[i].rung->name, BENCH_ENTERED * (double)i / (double)count);
        bool is_new_device = true;
        for (size_t j = 0; j < i; j++)
            is_new_device = is_new_device && candidates[j].device != candidates[i].device;
        const struct rung *ceilings[PROBES_MAX];
        size_t ceiling_count = bench->options->probe_ceilings && !bench->options->repeat && is_new_device
                                   ? ceiling_probes(bench->problem, candidates[i].device, candidates, count, ceilings)
                                   : 0;
        enum status status = STATUS_OK;
        for (size_t l = 0; status == STATUS_OK && l < ceiling_count; l++) {
            struct candidate probe = {.device = candidates[i].device, .rung = ceilings[l]};
            status = enter(bench, &probe, true, error);
        }
        if (status == STATUS_OK)
            status = enter(bench, &candidates[i], false, error);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

enum status lab_bench(const struct problem *problem, const struct candidate *candidates, size_t count,
                      const struct bench_options *options, struct measurement_list *list, struct error *error)
{
    struct bench bench = {.problem = problem, .options = options, .list = list};
    struct floating_scope floating;
    floating_scope_begin(&floating);
    enum status status = comparator_self_test(error);
    if (status == STATUS_OK)
        status = memory_need_check(problem, candidates, count, 0, error);
    if (status == STATUS_OK)
        status = dataset_create(problem, &bench.data, error);
    if (status != STATUS_OK) {
        floating_scope_end(&floating);
        return status;
    }
    bench.workspaces = calloc(count + 1, sizeof *bench.workspaces);
    bench.runners = calloc((1 + PROBES_MAX) * count + 1, sizeof *bench.runners);
    bench.heats = calloc(count + 1, sizeof *bench.heats);
    if (!bench.workspaces || !bench.runners || !bench.heats)
        status = fail(error, STATUS_UNAVAILABLE, "no memory for %zu rungs", count);
    if (status == STATUS_OK)
        status = enter_all(&bench, candidates, count, error);
    if (status == STATUS_OK) {
        bench_hold_rounds(&bench);
        for (size_t i = 0; i < bench.runner_count; i++) {
            bench_progress(&bench, bench.runners[i].candidate.rung->name,
                           BENCH_TIMED + (1 - BENCH_TIMED) * (double)i / (double)bench.runner_count);
            leave(&bench, &bench.runners[i]);
        }
        for (size_t i = 0; i < bench.runner_count; i++)
            ceiling_judge(&bench, &bench.runners[i]);
        for (size_t i = 0; i < bench.runner_count; i++)
            bench_hand_over(&bench, &bench.runners[i], true);
    }
    for (size_t i = 0; i < bench.runner_count; i++) {
        watch_begin(&bench.runners[i].candidate, problem);
        runner_finish(&bench.runners[i]);
        under_way_end();
    }
    for (size_t i = 0; i < bench.workspace_count; i++)
        workspace_destroy(&bench.workspaces[i]);
    free(bench.runners);
    free(bench.workspaces);
    free(bench.heats);
    core_latencies_free(&bench.distances);
    dataset_destroy(&bench.data);
    floating_scope_end(&floating);
    return status == STATUS_OK && interrupt_requested() ? fail(error, STATUS_INTERRUPTED, "interrupted") : status;
}
