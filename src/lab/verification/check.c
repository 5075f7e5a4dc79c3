#include "lab/verification/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/floating_state.h"
#include "base/size.h"
#include "base/translation.h"
#include "base/under_way.h"
#include "kernels/structure.h"
#include "lab/bench/describe.h"
#include "lab/bench/interrupt.h"
#include "lab/bench/memory_need.h"
#include "lab/bench/runner.h"
#include "lab/bench/watch.h"
#include "lab/verification/heap_fill.h"
#include "lab/verification/process_state.h"

static enum status verify(struct runner *runner, struct measurement *measurement, struct error *error)
{
    struct check_result result;
    enum status status = runner_verify(runner, &result, error);
    if (result.worst >= measurement->worst_error) {
        measurement->worst_error = result.worst;
        memcpy(measurement->worst_where, result.where, sizeof measurement->worst_where);
    }
    return status;
}

/* A light problem with structured inputs is verified with every structure. */
static enum status verify_structures(struct runner *runner, struct measurement *measurement, struct error *error)
{
    struct dataset *data = runner->workspace->data;
    const uint32_t first = data->problem.seed;
    enum status status = STATUS_OK;
    if (!problem_is_structured(&data->problem) || !check_is_light(&data->problem))
        return STATUS_OK;
    for (uint32_t i = 1; status == STATUS_OK && i < problem_structures(&data->problem); i++) {
        dataset_fill_from(data, first + i);
        status = verify(runner, measurement, error);
    }
    dataset_fill_from(data, first);
    return status;
}

/* Verifies the rung on the present inputs, and on all structures. With `twice`, also on a second set, which is
 * exchanged back afterwards. */
static void check_rung(struct workspace *workspace, const struct candidate *candidate, bool twice,
                       struct measurement *measurement)
{
    const struct problem *problem = &workspace->data->problem;
    char reason[sizeof measurement->reason];
    const char *refusal =
        rung_refuses(candidate->rung, problem, candidate->device, &candidate->parameters, reason, sizeof reason);
    if (refusal) {
        conclude_measurement(measurement, VERDICT_SKIP, refusal);
        return;
    }
    struct runner runner = {0};
    struct error why;
    enum status status = runner_prepare(&runner, workspace, candidate, &why);
    if (status == STATUS_OK)
        status = verify(&runner, measurement, &why);
    if (status == STATUS_OK && twice) {
        dataset_exchange(workspace->data);
        status = verify(&runner, measurement, &why);
        dataset_exchange(workspace->data);
    }
    if (status == STATUS_OK && workspace->data->filled.seed == problem->seed)
        status = verify_structures(&runner, measurement, &why);
    if (status != STATUS_OK)
        conclude_measurement(measurement, verdict_of(status), why.text);
    runner_finish(&runner);
}

/* A wrong result keeps its verdict: its reason says more than the state of the process. */
static void check_process(const struct candidate *candidate, struct measurement *measurement)
{
    struct error why;
    enum status status = process_state_check(candidate_is_own_code(candidate), &why);
    if (status != STATUS_OK && (measurement->verdict == VERDICT_PASS || measurement->verdict == VERDICT_SKIP))
        conclude_measurement(measurement, verdict_of(status), why.text);
}

/* Whether arrays touch their guard pages at different sides: in about half of the problems. Arrays of one length then
 * have different alignments. */
static bool alternates(const struct problem *problem)
{
    uint64_t sum = problem->seed;
    for (size_t i = 0; i < problem->kernel->field_count; i++)
        if (problem->kernel->fields[i].kind == FIELD_SIZE)
            sum += (uint64_t)problem->values[i].size;
    return sum % 2 == 0;
}

/* Whether the device has no room for the problem, even without guard pages. */
static bool lacks_room(struct dataset *data, struct device *device, struct error *why)
{
    struct workspace workspace;
    const enum status status = workspace_create(data, device, &workspace, why);
    if (status == STATUS_OK)
        workspace_destroy(&workspace);
    return status == STATUS_UNAVAILABLE;
}

/* Every array lies between guard pages. With one set of inputs it ends at a guard page; with the other it begins at
 * one. A light problem also runs twice on the same memory, so stale state shows. */
static enum status check_paged(struct dataset *data, const struct candidate *candidate, struct measurement *measurement,
                               struct error *error)
{
    static const enum guard_side sides[] = {GUARD_END, GUARD_START};
    const bool is_light = check_is_light(&data->problem);
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < COUNT_OF(sides); i++) {
        struct workspace workspace;
        struct error why;
        status =
            workspace_create_paged(data, candidate->device, sides[i], alternates(&data->problem), &workspace, error);
        if (status == STATUS_UNAVAILABLE && i == 0 && lacks_room(data, candidate->device, &why)) {
            conclude_measurement(measurement, VERDICT_SKIP, why.text);
            status = STATUS_OK;
            break;
        }
        if (status == STATUS_UNAVAILABLE && i > 0 && candidate_is_own_code(candidate)) {
            conclude_measurement(measurement, VERDICT_ERROR,
                                 N_("took its process's memory: the arrays that it just had cannot be made again"));
            status = STATUS_OK;
            break;
        }
        if (status == STATUS_OK && measurement->verdict == VERDICT_PASS) {
            heap_fill_begin();
            check_rung(&workspace, candidate, is_light && i == 0, measurement);
            heap_fill_end();
        }
        if (status == STATUS_OK)
            workspace_destroy(&workspace);
        dataset_exchange(data);
    }
    return status;
}

static bool is_paged(const struct candidate *candidate)
{
    return guard_pages_allowed() && candidate_is_own_code(candidate);
}

/* Then the arrays without guard pages would be made for nothing. */
static bool are_all_paged(struct device *device, const struct rung *const *rungs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct candidate candidate = {.rung = rungs[i], .device = device};
        if (!is_paged(&candidate))
            return false;
    }
    return true;
}

enum status lab_check(const struct problem *problem, struct device *device, const struct rung *const *rungs,
                      size_t count, const struct overrides *overrides, struct measurement_list *list,
                      struct error *error)
{
    return lab_check_each(problem, device, rungs, count, overrides, NULL, NULL, list, error);
}

/* A rung that does not run on the device has nothing to do with the driver's fault. */
static void conclude_at_fault(const struct candidate *candidate, const struct problem *problem, const char *fault,
                              struct measurement *measurement)
{
    char reason[sizeof measurement->reason];
    const char *refusal =
        rung_refuses(candidate->rung, problem, candidate->device, &candidate->parameters, reason, sizeof reason);
    conclude_measurement(measurement, refusal ? VERDICT_SKIP : VERDICT_ERROR, refusal ? refusal : fault);
}

enum status lab_check_each(const struct problem *problem, struct device *device, const struct rung *const *rungs,
                           size_t count, const struct overrides *overrides,
                           void (*done)(void *context, struct measurement *measurement), void *context,
                           struct measurement_list *list, struct error *error)
{
    struct dataset data;
    struct workspace workspace = {0};
    struct error no_room;
    enum status status = memory_need_check_on(problem, device, error);
    if (status != STATUS_OK)
        return status;
    struct floating_scope floating;
    floating_scope_begin(&floating);
    status = dataset_create(problem, &data, &no_room);
    if (status == STATUS_OK && !are_all_paged(device, rungs, count))
        status = workspace_create(&data, device, &workspace, &no_room);
    /* Other problems may fit on the device; and a driver's fault is no other device's. */
    const bool has_no_room = status == STATUS_UNAVAILABLE;
    const bool is_at_fault = !has_no_room && status != STATUS_OK && device->backend->kind != BACKEND_CPU;
    if (has_no_room || is_at_fault)
        status = STATUS_OK;
    else if (status != STATUS_OK && error)
        *error = no_room;
    process_state_note();
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        struct candidate candidate;
        struct measurement *measurement = NULL;
        status = candidate_make(device, rungs[i], problem, overrides, &candidate, error);
        if (status == STATUS_OK && !(measurement = measurement_list_add(list)))
            status = fail(error, STATUS_UNAVAILABLE, "no memory for another measurement");
        if (status != STATUS_OK)
            break;
        describe_measurement(measurement, problem, &candidate, false);
        watch_begin(&candidate, problem);
        if (has_no_room)
            conclude_measurement(measurement, VERDICT_SKIP, no_room.text);
        else if (is_at_fault)
            conclude_at_fault(&candidate, problem, no_room.text, measurement);
        else if (is_paged(&candidate))
            status = check_paged(&data, &candidate, measurement, error);
        else
            check_rung(&workspace, &candidate, true, measurement);
        check_process(&candidate, measurement);
        if (done)
            done(context, measurement);
        under_way_end();
        if (status == STATUS_OK && interrupt_requested())
            status = fail(error, STATUS_INTERRUPTED, "interrupted");
    }
    workspace_destroy(&workspace);
    dataset_destroy(&data);
    floating_scope_end(&floating);
    return status;
}
