#include "lab/bench/overhead.h"

#include "base/statistics.h"
#include "kernels/rung_header.h"
#include "lab/bench/runner.h"

#define SAMPLES 25
#define LAUNCHES 200 /* of some 20 ns each: a hundred times what reading the clock takes */

/* The first device rung that the null device accepts for this problem. Rungs without a host half come first: the host
 * half's work belongs to the rung, not to the harness. */
static enum status find_candidate(const struct problem *problem, struct device *device, struct candidate *candidate,
                                  struct error *error)
{
    const struct rung *const *rungs;
    size_t count;
    bool found = false;
    enum status status = kernel_rungs(problem->kernel, &rungs, &count, error);
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        char reason[256];
        struct candidate rung;
        bool is_plain = rungs[i]->enqueue == device_rung_enqueue;
        if (rungs[i]->kind != RUNG_DEVICE || !(rungs[i]->backends & BACKEND_NULL) || (found && !is_plain))
            continue;
        status = candidate_make(device, rungs[i], problem, NULL, &rung, error);
        if (status != STATUS_OK || rung_refuses(rungs[i], problem, device, &rung.parameters, reason, sizeof reason))
            continue;
        *candidate = rung;
        found = true;
        if (is_plain)
            return STATUS_OK;
    }
    if (status == STATUS_OK && !found)
        status =
            fail(error, STATUS_UNAVAILABLE, "%s has no device rung that the null device takes", problem->kernel->name);
    return status;
}

static enum status time_launches(struct runner *runner, double *nanoseconds, struct error *error)
{
    double samples[SAMPLES];
    enum status status = STATUS_OK;
    runner->batch = LAUNCHES;
    for (int i = 0; status == STATUS_OK && i < SAMPLES; i++)
        status = runner_sample(runner, false, &samples[i], error);
    struct summary summary = {0};
    if (status == STATUS_OK)
        statistics_summarise(samples, SAMPLES, &summary);
    *nanoseconds = summary.median;
    return status;
}

enum status lab_overhead(const struct kernel *kernel, double *nanoseconds, struct error *error)
{
    struct problem problem;
    struct device *device = NULL;
    struct dataset data = {0};
    struct workspace workspace = {0};
    struct runner runner = {0};
    struct candidate candidate;
    struct check_result result;
    enum status status = problem_parse(kernel->edge_cases[kernel->edge_cases_small - 1], &problem, error);
    if (status == STATUS_OK)
        status = device_open("null", &device, error);
    if (status == STATUS_OK)
        status = dataset_create(&problem, &data, error);
    if (status == STATUS_OK)
        status = workspace_create(&data, device, &workspace, error);
    if (status == STATUS_OK)
        status = find_candidate(&problem, device, &candidate, error);
    if (status == STATUS_OK)
        status = runner_prepare(&runner, &workspace, &candidate, error);
    if (status == STATUS_OK) {
        status = runner_verify(&runner, &result, error);
        if (status == STATUS_FAILED)
            status = time_launches(&runner, nanoseconds, error);
        else if (status == STATUS_OK)
            status =
                fail(error, STATUS_FAILED, "the null device passed the check of %s: the check is broken", kernel->name);
        runner_finish(&runner);
    }
    workspace_destroy(&workspace);
    dataset_destroy(&data);
    device_close(device);
    return status;
}
