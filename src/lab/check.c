#include "lab/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/under_way.h"
#include "lab/describe.h"
#include "lab/interrupt.h"
#include "lab/memory_need.h"
#include "lab/runner.h"
#include "lab/watch.h"

static void check_rung(struct workspace *workspace, const struct contender *contender, struct measurement *measurement)
{
    const struct problem *problem = &workspace->data->problem;
    char reason[sizeof measurement->reason];
    const char *refusal =
        rung_refuses(contender->rung, problem, contender->device, &contender->parameters, reason, sizeof reason);
    if (refusal) {
        conclude_measurement(measurement, VERDICT_SKIP, refusal);
        return;
    }
    static const unsigned char poisons[] = {POISON_BEFORE, POISON_AFTER};
    struct runner runner = {0};
    struct error why;
    enum status status = runner_prepare(&runner, workspace, contender, &why);
    for (size_t i = 0; status == STATUS_OK && i < sizeof poisons; i++) {
        struct check_result result;
        status = runner_verify(&runner, poisons[i], true, &result, &why);
        if (result.worst >= measurement->worst_error) {
            measurement->worst_error = result.worst;
            memcpy(measurement->worst_where, result.where, sizeof measurement->worst_where);
        }
    }
    if (status != STATUS_OK)
        conclude_measurement(measurement, verdict_of(status), why.text);
    runner_finish(&runner);
}

enum status lab_check(const struct problem *problem, struct device *device, const struct rung *const *rungs,
                      size_t count, const struct overrides *overrides, struct measurement_list *list,
                      struct error *error)
{
    return lab_check_each(problem, device, rungs, count, overrides, NULL, NULL, list, error);
}

enum status lab_check_each(const struct problem *problem, struct device *device, const struct rung *const *rungs,
                           size_t count, const struct overrides *overrides,
                           void (*done)(void *context, struct measurement *measurement), void *context,
                           struct measurement_list *list, struct error *error)
{
    struct dataset data;
    struct workspace workspace;
    enum status status = memory_need_check_on(problem, device, error);
    if (status == STATUS_OK)
        status = dataset_create(problem, &data, error);
    if (status != STATUS_OK)
        return status;
    status = workspace_create(&data, device, &workspace, error);
    if (status != STATUS_OK) {
        dataset_destroy(&data);
        return status;
    }
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        struct contender contender;
        struct measurement *measurement = NULL;
        status = contender_make(device, rungs[i], problem, overrides, &contender, error);
        if (status == STATUS_OK && !(measurement = measurement_list_add(list)))
            status = fail(error, STATUS_UNAVAILABLE, "no memory for another measurement");
        if (status != STATUS_OK)
            break;
        describe_measurement(measurement, problem, &contender, false);
        watch_begin(&contender, problem);
        check_rung(&workspace, &contender, measurement);
        if (done)
            done(context, measurement);
        under_way_end();
        if (interrupt_requested())
            status = fail(error, STATUS_INTERRUPTED, "interrupted");
    }
    workspace_destroy(&workspace);
    dataset_destroy(&data);
    return status;
}
