#include "lab/transfers/memory_kinds.h"

#include <stdio.h>
#include <stdlib.h>

#include "backends/cpu/floating_state.h"
#include "base/text.h"
#include "base/translation.h"
#include "lab/bench/describe.h"
#include "lab/bench/interrupt.h"
#include "lab/bench/memory_need.h"
#include "lab/bench/runner.h"

#define LEAST_SAMPLES 3
#define MOST_SAMPLES 30

/* A candidate with one kind of memory. */
struct entry {
    struct runner runner;
    struct workspace workspace;
    size_t measurement;
};

static enum status describe(const struct problem *problem, const struct candidate *candidate, enum memory_kind kind,
                            struct measurement_list *list, struct error *error)
{
    char text[PROBLEM_TEXT_MAX];
    struct measurement *measurement = measurement_list_add(list);
    if (!measurement)
        return fail(error, STATUS_UNAVAILABLE, "no memory for another measurement");
    describe_measurement(measurement, problem, candidate, false);
    snprintf(measurement->kernel, sizeof measurement->kernel, "memory");
    snprintf(measurement->problem, sizeof measurement->problem, "memory:%s", problem_text(problem, text));
    text_append(measurement->parameters, sizeof measurement->parameters, "%smemory=%s",
                measurement->parameters[0] ? " " : "", memory_kind_name(kind));
    measurement->batch = 1;
    return STATUS_OK;
}

static enum status prepare(struct entry *entry, struct dataset *data, const struct candidate *candidate,
                           enum memory_kind kind, struct error *error)
{
    char reason[512];
    struct device *device = candidate->device;
    if (rung_refuses(candidate->rung, &data->problem, device, &candidate->parameters, reason, sizeof reason))
        return fail(error, STATUS_UNAVAILABLE, "%s", reason);
    enum status status = workspace_create_in(data, device, kind, &entry->workspace, error);
    return status == STATUS_OK ? runner_prepare(&entry->runner, &entry->workspace, candidate, error) : status;
}

/* Records the verification's result as the measurement's verdict. */
static void judge(struct entry *entry, struct measurement_list *list)
{
    struct measurement *measurement = &list->items[entry->measurement];
    struct check_result result = {0};
    struct error why;
    if (measurement->verdict != VERDICT_PASS)
        return;
    enum status status = runner_verify(&entry->runner, &result, &why);
    measurement->worst_error = result.worst > measurement->worst_error ? result.worst : measurement->worst_error;
    snprintf(measurement->worst_where, sizeof measurement->worst_where, "%s", result.where);
    if (status != STATUS_OK)
        conclude_measurement(measurement, verdict_of(status), why.text);
    entry->runner.active = status == STATUS_OK;
}

/* Verifies the outputs of the timed runs, then a run on new inputs. */
static void judge_again(struct entry *entry, struct dataset *data, struct measurement_list *list)
{
    struct measurement *measurement = &list->items[entry->measurement];
    double nanoseconds[PHASE_COUNT] = {0};
    struct check_result result = {0};
    struct error why;
    if (measurement->verdict != VERDICT_PASS)
        return;
    enum status status = runner_end_to_end(&entry->runner, nanoseconds, &why);
    if (status == STATUS_OK)
        status = runner_judge(&entry->runner, &result, &why);
    if (status != STATUS_OK) {
        fail_in(&why, status, "in a timed run");
        conclude_measurement(measurement, verdict_of(status), why.text);
        return;
    }
    dataset_renew(data);
    judge(entry, list);
}

static enum status visit(struct entry *entry, uint32_t round, const struct bench_options *options,
                         struct measurement *measurement, struct error *error)
{
    double nanoseconds[PHASE_COUNT] = {0};
    enum status status = runner_end_to_end(&entry->runner, nanoseconds, error);
    nanoseconds[PHASE_COMPUTE] = nanoseconds[PHASE_END_TO_END];
    for (int phase = 0; status == STATUS_OK && phase < PHASE_COUNT; phase++)
        if (!samples_add(&measurement->phases[phase], nanoseconds[phase], round))
            status = fail(error, STATUS_UNAVAILABLE, "no memory for another sample");
    size_t count = measurement->phases[PHASE_END_TO_END].count;
    entry->runner.spent += nanoseconds[PHASE_END_TO_END];
    entry->runner.active = status == STATUS_OK && count < MOST_SAMPLES &&
                           (count < LEAST_SAMPLES || entry->runner.spent < options->seconds * 1e9);
    return status;
}

static void hold_rounds(struct entry *entries, size_t count, const struct bench_options *options,
                        struct measurement_list *list)
{
    size_t left = count;
    for (uint32_t round = 0; left > 0 && !interrupt_requested(); round++) {
        left = 0;
        for (size_t i = 0; i < count && !interrupt_requested(); i++) {
            struct measurement *measurement = &list->items[entries[i].measurement];
            struct error why;
            if (options->progress)
                options->progress(options->progress_context, measurement->rung,
                                  0.1 + 0.8 * (double)round / (round + 5.0));
            if (entries[i].runner.active && visit(&entries[i], round, options, measurement, &why) != STATUS_OK)
                conclude_measurement(measurement, VERDICT_ERROR, why.text);
            left += entries[i].runner.active;
        }
    }
}

/* Measures one candidate with every kind of memory, in the same rounds: the candidates differ in their memory alone. */
static enum status measure(struct dataset *data, const struct candidate *candidate, unsigned kinds,
                           const struct bench_options *options, struct measurement_list *list, struct error *error)
{
    struct entry entries[MEMORY_KIND_COUNT] = {0};
    size_t count = 0;
    enum status status = STATUS_OK;
    for (int kind = 0; kind < MEMORY_KIND_COUNT && status == STATUS_OK; kind++) {
        struct entry *entry = &entries[count];
        struct error why;
        if (!(kinds & 1u << kind))
            continue;
        status = describe(&data->problem, candidate, (enum memory_kind)kind, list, error);
        if (status != STATUS_OK)
            break;
        entry->measurement = list->count - 1;
        count++;
        enum status prepared = prepare(entry, data, candidate, (enum memory_kind)kind, &why);
        if (prepared != STATUS_OK)
            conclude_measurement(&list->items[entry->measurement], verdict_of(prepared), why.text);
        judge(entry, list);
    }
    if (status == STATUS_OK)
        hold_rounds(entries, count, options, list);
    for (size_t i = 0; i < count; i++) {
        struct measurement *measurement = &list->items[entries[i].measurement];
        judge_again(&entries[i], data, list);
        if (measurement->verdict == VERDICT_PASS && !measurement->phases[PHASE_END_TO_END].count)
            conclude_measurement(measurement, VERDICT_SKIP, N_("interrupted before it was timed"));
        runner_finish(&entries[i].runner);
        workspace_destroy(&entries[i].workspace);
        if (options->finished)
            options->finished(options->finished_context, measurement);
    }
    return status;
}

enum status lab_memory_kinds(const struct problem *problem, const struct candidate *candidates, size_t count,
                             unsigned kinds, const struct bench_options *options, struct measurement_list *list,
                             struct error *error)
{
    struct dataset data = {0};
    struct floating_scope floating;
    floating_scope_begin(&floating);
    enum status status = comparator_self_test(error);
    if (status == STATUS_OK)
        status = memory_need_check(problem, candidates, count, (unsigned)__builtin_popcount(kinds), error);
    if (status == STATUS_OK)
        status = dataset_create(problem, &data, error);
    for (size_t i = 0; status == STATUS_OK && i < count && !interrupt_requested(); i++)
        status = measure(&data, &candidates[i], kinds, options, list, error);
    dataset_destroy(&data);
    floating_scope_end(&floating);
    return status == STATUS_OK && interrupt_requested() ? fail(error, STATUS_INTERRUPTED, "interrupted") : status;
}
