#include "lab/bench/accuracy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "backends/cpu/floating_state.h"
#include "base/translation.h"
#include "kernels/accuracy.h"
#include "lab/bench/describe.h"
#include "lab/bench/interrupt.h"
#include "lab/bench/memory_need.h"
#include "lab/bench/runner.h"

#define LEAST_SAMPLES 3
#define MOST_SAMPLES 200

struct entry {
    struct runner runner;
    bool is_extra; /* of the view only: not checked */
    struct accuracy_errors errors;
};

struct side_by_side {
    const struct accuracy_view *view;
    const struct bench_options *options;
    struct measurement_list *list;
    struct dataset data;
    struct exact_answers *answers;
    struct workspace *workspaces; /* one for each device, as they are met */
    size_t workspace_count;
    struct entry *entries;
    size_t count;
};

static struct measurement *measurement_of(const struct side_by_side *bench, const struct entry *entry)
{
    return &bench->list->items[entry->runner.measurement];
}

static struct workspace *workspace_on(struct side_by_side *bench, struct device *device, struct error *error)
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

static bool is_extra(const struct accuracy_view *view, const struct rung *rung)
{
    for (size_t i = 0; view->extra[i]; i++)
        if (view->extra[i] == rung)
            return true;
    return false;
}

static enum status describe(struct side_by_side *bench, const struct candidate *candidate, struct entry *entry,
                            struct error *error)
{
    char text[PROBLEM_TEXT_MAX];
    struct measurement *measurement = measurement_list_add(bench->list);
    if (!measurement)
        return fail(error, STATUS_UNAVAILABLE, "no memory for another measurement");
    describe_measurement(measurement, &bench->data.problem, candidate, false);
    snprintf(measurement->kernel, sizeof measurement->kernel, "accuracy");
    snprintf(measurement->problem, sizeof measurement->problem, "accuracy:%s",
             problem_text(&bench->data.problem, text));
    measurement->batch = 1;
    *entry = (struct entry){.is_extra = is_extra(bench->view, candidate->rung)};
    entry->runner = (struct runner){.candidate = *candidate, .measurement = bench->list->count - 1, .batch = 1};
    return STATUS_OK;
}

/* One run on restored inputs: verified, unless only its error is wanted, then compared with the exact result. */
static enum status run_and_compare(struct side_by_side *bench, struct entry *entry, struct error *error)
{
    struct accuracy_errors errors;
    struct check_result result = {0};
    struct runner *runner = &entry->runner;
    enum status status;
    if (entry->is_extra) {
        status = workspace_renew(runner->workspace, error);
        if (status == STATUS_OK)
            status = workspace_poison(runner->workspace, workspace_poison_byte(runner->workspace), error);
        if (status == STATUS_OK)
            status = runner_run(runner, error);
        if (status == STATUS_OK)
            status = workspace_download(runner->workspace, error);
    } else {
        status = runner_verify(runner, &result, error);
    }
    if (status != STATUS_OK)
        return status;
    bench->view->compare(bench->answers, bench->data.output, &errors);
    errors.relative = fmax(errors.relative, entry->errors.relative);
    errors.componentwise = fmax(errors.componentwise, entry->errors.componentwise);
    errors.largest = fmax(errors.largest, entry->errors.largest);
    entry->errors = errors;
    return STATUS_OK;
}

static enum status make_answers(struct side_by_side *bench, struct error *error)
{
    bench->view->free(bench->answers);
    bench->answers = NULL;
    return bench->view->exact(&bench->data.filled, bench->data.input, &bench->answers, error);
}

static void enter(struct side_by_side *bench, const struct candidate *candidate, struct entry *entry)
{
    char reason[512];
    struct error why;
    struct measurement *measurement = measurement_of(bench, entry);
    if (rung_refuses(candidate->rung, &bench->data.problem, candidate->device, &candidate->parameters, reason,
                     sizeof reason)) {
        conclude_measurement(measurement, VERDICT_SKIP, reason);
        return;
    }
    struct workspace *workspace = workspace_on(bench, candidate->device, &why);
    enum status status = workspace ? runner_prepare(&entry->runner, workspace, candidate, &why) : STATUS_UNAVAILABLE;
    snprintf(measurement->detail, sizeof measurement->detail, "%s", entry->runner.prepared.run.detail);
    if (status == STATUS_OK)
        status = run_and_compare(bench, entry, &why);
    if (status != STATUS_OK)
        conclude_measurement(measurement, verdict_of(status), why.text);
    entry->runner.active = status == STATUS_OK;
}

/* Timing comes after all comparisons, because samples change the inputs. */
static void warm_up(const struct side_by_side *bench, struct entry *entry)
{
    struct error why;
    if (!entry->runner.active || runner_warm_up(&entry->runner, false, &why) == STATUS_OK)
        return;
    conclude_measurement(measurement_of(bench, entry), VERDICT_ERROR, why.text);
    entry->runner.active = false;
}

static void visit(const struct side_by_side *bench, struct entry *entry, uint32_t round)
{
    double nanoseconds = 0;
    struct error why;
    struct runner *runner = &entry->runner;
    struct measurement *measurement = measurement_of(bench, entry);
    struct samples *samples = &measurement->phases[PHASE_COMPUTE];
    enum status status = runner_sample(runner, false, &nanoseconds, &why);
    measurement->batch = runner->batch;
    if (status == STATUS_OK && !samples_add(samples, nanoseconds, round))
        status = fail(&why, STATUS_UNAVAILABLE, "no memory for another sample");
    if (status != STATUS_OK)
        conclude_measurement(measurement, VERDICT_ERROR, why.text);
    runner->active = status == STATUS_OK && samples->count < MOST_SAMPLES &&
                     (samples->count < LEAST_SAMPLES || runner->spent < bench->options->seconds * 1e9);
}

static void hold_rounds(struct side_by_side *bench)
{
    const struct bench_options *options = bench->options;
    size_t left = bench->count;
    for (uint32_t round = 0; left > 0 && !interrupt_requested(); round++) {
        left = 0;
        for (size_t i = 0; i < bench->count && !interrupt_requested(); i++) {
            struct entry *entry = &bench->entries[i];
            if (options->progress)
                options->progress(options->progress_context, measurement_of(bench, entry)->rung,
                                  0.1 + 0.8 * (double)round / (round + 5.0));
            if (entry->runner.active)
                visit(bench, entry, round);
            left += entry->runner.active;
        }
    }
}

/* The second comparison, on inputs that no rung can predict. */
static void leave(struct side_by_side *bench, struct entry *entry)
{
    struct error why;
    struct measurement *measurement = measurement_of(bench, entry);
    if (measurement->verdict != VERDICT_PASS)
        return;
    if (!measurement->phases[PHASE_COMPUTE].count) {
        conclude_measurement(measurement, VERDICT_SKIP, N_("interrupted before it was timed"));
        return;
    }
    entry->runner.workspace->version = 0;
    enum status status = run_and_compare(bench, entry, &why);
    if (status != STATUS_OK) {
        fail_in(&why, status, "after the timing");
        conclude_measurement(measurement, verdict_of(status), why.text);
        return;
    }
    measurement->worst_error = entry->errors.relative;
    runner_tell_fallbacks(&entry->runner, measurement->detail, sizeof measurement->detail);
}

static enum status compare_all(struct side_by_side *bench, const struct candidate *candidates, struct error *error)
{
    enum status status = make_answers(bench, error);
    for (size_t i = 0; status == STATUS_OK && i < bench->count; i++) {
        status = describe(bench, &candidates[i], &bench->entries[i], error);
        if (status == STATUS_OK && !interrupt_requested())
            enter(bench, &candidates[i], &bench->entries[i]);
    }
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < bench->count && !interrupt_requested(); i++)
        warm_up(bench, &bench->entries[i]);
    hold_rounds(bench);
    dataset_renew(&bench->data);
    status = make_answers(bench, error);
    for (size_t i = 0; status == STATUS_OK && i < bench->count; i++)
        leave(bench, &bench->entries[i]);
    return status;
}

static enum status hand_over(const struct side_by_side *bench, struct accuracy_list *errors, struct error *error)
{
    for (size_t i = 0; i < bench->count; i++) {
        const struct entry *entry = &bench->entries[i];
        struct measurement *measurement = measurement_of(bench, entry);
        const struct accuracy accuracy = {
            .measurement = entry->runner.measurement,
            .relative = entry->errors.relative,
            .componentwise = entry->errors.componentwise,
            .largest = entry->errors.largest,
            .rows = entry->errors.rows,
            .all_rows = entry->errors.all_rows,
        };
        if (measurement->verdict == VERDICT_PASS && !accuracy_list_add(errors, &accuracy))
            return fail(error, STATUS_UNAVAILABLE, "no memory for another measurement");
        if (bench->options->finished)
            bench->options->finished(bench->options->finished_context, measurement);
    }
    return STATUS_OK;
}

static void end(struct side_by_side *bench)
{
    for (size_t i = 0; i < bench->count; i++)
        runner_finish(&bench->entries[i].runner);
    for (size_t i = 0; i < bench->workspace_count; i++)
        workspace_destroy(&bench->workspaces[i]);
    bench->view->free(bench->answers);
    free(bench->workspaces);
    free(bench->entries);
    dataset_destroy(&bench->data);
}

enum status lab_accuracy(const struct problem *problem, const struct candidate *candidates, size_t count,
                         const struct bench_options *options, struct measurement_list *list,
                         struct accuracy_list *errors, struct error *error)
{
    struct side_by_side bench = {.view = problem->kernel->accuracy, .options = options, .list = list, .count = count};
    struct floating_scope floating;
    if (!bench.view)
        return fail(error, STATUS_INVALID, "the accuracy of %s's rungs is not compared: they are all as accurate",
                    problem->kernel->name);
    floating_scope_begin(&floating);
    enum status status = comparator_self_test(error);
    if (status == STATUS_OK)
        status = memory_need_check(problem, candidates, count, 0, error);
    if (status == STATUS_OK)
        status = dataset_create(problem, &bench.data, error);
    if (status == STATUS_OK) {
        bench.entries = calloc(count + 1, sizeof *bench.entries);
        bench.workspaces = calloc(count + 1, sizeof *bench.workspaces);
        if (!bench.entries || !bench.workspaces)
            status = fail(error, STATUS_UNAVAILABLE, "no memory for %zu rungs", count);
        if (status == STATUS_OK)
            status = compare_all(&bench, candidates, error);
        if (status == STATUS_OK)
            status = hand_over(&bench, errors, error);
        end(&bench);
    }
    floating_scope_end(&floating);
    return status == STATUS_OK && interrupt_requested() ? fail(error, STATUS_INTERRUPTED, "interrupted") : status;
}
