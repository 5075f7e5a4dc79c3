#include "cli/commands/bench_parts.h"

#include "base/translation.h"
#include "lab/bench/runner.h"
#include "report/model/heading.h"

static enum status run_inside(struct runner *runner, const char *name, struct error *error)
{
    struct device *device = runner->candidate.device;
    struct error unused;
    enum status status = device_profile(device, name, error);
    if (status != STATUS_OK)
        return status;
    status = runner_run(runner, error);
    if (status == STATUS_OK)
        status = device_synchronize(device, error);
    const enum status ended = device_profile(device, NULL, status == STATUS_OK ? error : &unused);
    return status == STATUS_OK ? ended : status;
}

static enum status run_prepared(struct runner *runner, const char *name, struct error *error)
{
    double nanoseconds[PHASE_COUNT];
    enum status status = runner_end_to_end(runner, nanoseconds, error);
    if (status == STATUS_OK)
        status = workspace_renew(runner->workspace, error);
    if (status == STATUS_OK)
        status = workspace_restore(runner->workspace, error);
    if (status == STATUS_OK)
        status = device_synchronize(runner->candidate.device, error);
    return status == STATUS_OK ? run_inside(runner, name, error) : status;
}

static enum status profile_run(FILE *stream, const struct problem *problem, const struct candidate *candidate,
                               struct error *error)
{
    struct dataset data;
    struct workspace workspace;
    struct runner runner = {0};
    char text[PROBLEM_TEXT_MAX], title[HEADING_BYTES];
    enum status status = dataset_create(problem, &data, error);
    if (status != STATUS_OK)
        return status;
    status = workspace_create(&data, candidate->device, &workspace, error);
    if (status == STATUS_OK) {
        status = runner_prepare(&runner, &workspace, candidate, error);
        if (status == STATUS_OK) {
            status = run_prepared(&runner, candidate->rung->name, error);
            runner_finish(&runner);
        }
        workspace_destroy(&workspace);
    }
    dataset_destroy(&data);
    if (status == STATUS_OK)
        fprintf(stream, tr("%s, %s on %s: one launch in the profiler's range, neither timed nor checked\n"),
                problem_title(problem_text(problem, text), title), candidate->rung->name, candidate->device->id);
    return status;
}

enum status profile_all(FILE *stream, const struct problem *problem, const struct candidate *candidates, size_t count,
                        struct error *error)
{
    char reason[256];
    size_t profiled = 0;
    for (size_t i = 0; i < count; i++) {
        const struct candidate *candidate = &candidates[i];
        if (!candidate->device->backend->profile ||
            rung_refuses(candidate->rung, problem, candidate->device, &candidate->parameters, reason, sizeof reason))
            continue;
        enum status status = profile_run(stream, problem, candidate, error);
        if (status != STATUS_OK)
            return status;
        profiled++;
    }
    return profiled ? STATUS_OK
                    : fail(error, STATUS_UNAVAILABLE,
                           "--profile: no rung chosen runs on a CUDA device, and only those have a profiler's range");
}
