#include "cli/commands/lab_series.h"

#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "cli/options/recording.h"
#include "cli/options/time_needed.h"
#include "lab/bench/describe.h"
#include "lab/bench/memory_need.h"
#include "lab/bench/sweep.h"

/* Sizes below each kernel's bench, which is the last point of its line. */
static const struct {
    const char *kernel;
    const char *problems[LAB_SIZES_MOST];
} series[] = {
    {"transpose", {"transpose:rows=512,cols=512", "transpose:rows=2048,cols=2048"}},
    {"sort", {"sort:n=2^14", "sort:n=2^17"}},
    {"dot", {"dot:n=2^17", "dot:n=2^20"}},
    {"matmul", {"matmul:m=240,n=240,k=240", "matmul:m=480,n=480,k=480"}},
    {"resize", {"resize:width=512,height=512", "resize:width=1024,height=1024"}},
    {"pipeline", {"pipeline:n=2^12", "pipeline:n=2^15"}},
};

/* The rungs of a problem that this machine has no memory for, each as a SKIP. */
static enum status skip_all(struct bench_session *session, const struct problem *problem,
                            const struct candidate *candidates, size_t count, const char *reason, struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        struct measurement *skipped = measurement_list_add(&session->list);
        if (!skipped)
            return fail(error, STATUS_UNAVAILABLE, "no memory for another measurement");
        describe_measurement(skipped, problem, &candidates[i], false);
        conclude_measurement(skipped, VERDICT_SKIP, reason);
        bench_session_keep(session, skipped);
    }
    return STATUS_OK;
}

/* One problem too large must not stop the lab: what comes after it may fit. */
static enum status bench_if_it_fits(struct bench_session *session, const struct problem *problem,
                                    const struct candidate *candidates, size_t count,
                                    const struct bench_options *options, struct error *error)
{
    struct error why;
    enum status status = memory_need_check(problem, candidates, count, 0, &why);
    if (status == STATUS_INVALID)
        return skip_all(session, problem, candidates, count, why.text, error);
    if (status != STATUS_OK)
        return fail(error, status, "%s", why.text);
    return isolation_bench(&session->isolation, problem, candidates, count, options, &session->list, error);
}

/* A library on a GPU that a CPU plays compiles for long, and its place says nothing: it is there with --full, or where
 * it is named. Returns how many are left. */
static size_t leave_out_played_libraries(const struct selection *selection, struct candidate *candidates, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!selection->rehearses_once || selection->rung_name_count || candidates[i].rung->kind != RUNG_VENDOR ||
            !device_rehearses(candidates[i].device))
            candidates[kept++] = candidates[i];
    return kept;
}

enum status lab_bench_text(struct bench_session *session, const struct selection *selection,
                           const struct bench_options *options, const char *text, struct error *error)
{
    struct problem problem;
    struct candidate *candidates;
    size_t count;
    enum status status = problem_parse(text, &problem, error);
    if (status == STATUS_OK)
        status = selection_candidates(selection, &problem, &candidates, &count, error);
    if (status != STATUS_OK)
        return status;
    count = leave_out_played_libraries(selection, candidates, count);
    if (progress_step(&session->progress, problem.kernel->name, time_needed(&problem, candidates, count, options)))
        status = bench_if_it_fits(session, &problem, candidates, count, options, error);
    free(candidates);
    return status;
}

enum status lab_sizes(struct bench_session *session, const struct kernel *kernel, int sizes, double seconds,
                      struct error *error)
{
    struct selection performing = session->selection;
    struct bench_options options = session->options;
    enum status status = STATUS_OK;
    performing.device_count = 0;
    for (size_t d = 0; d < session->selection.device_count; d++)
        if (!device_rehearses(session->selection.devices[d]))
            performing.devices[performing.device_count++] = session->selection.devices[d];
    options.seconds = seconds;
    for (size_t s = 0; s < COUNT_OF(series) && performing.device_count; s++)
        for (int p = 0; strcmp(series[s].kernel, kernel->name) == 0 && p < sizes && series[s].problems[p]; p++)
            if (status == STATUS_OK)
                status = lab_bench_text(session, &performing, &options, series[s].problems[p], error);
    return status;
}

static enum status sweep_device(struct bench_session *session, const struct bench_options *options,
                                const struct problem *problem, const struct rung *rung, struct device *device,
                                struct error *error)
{
    struct axis axes[2];
    struct candidate *candidates;
    size_t count;
    enum status status = axis_parse("BX=1..1024", &axes[0], error);
    if (status == STATUS_OK)
        status = axis_parse("BY=1..1024", &axes[1], error);
    if (status == STATUS_OK)
        status = sweep_candidates(device, rung, problem, &session->selection.overrides, axes, COUNT_OF(axes),
                                  &candidates, &count, error);
    if (status != STATUS_OK)
        return status;
    if (progress_step(&session->progress, problem->kernel->name, time_needed(problem, candidates, count, options)))
        status = bench_if_it_fits(session, problem, candidates, count, options, error);
    free(candidates);
    return status;
}

enum status lab_group_shapes(struct bench_session *session, double seconds, bool on_cpu, struct error *error)
{
    struct bench_options options = session->options;
    struct problem problem;
    enum status status = problem_parse("transpose:rows=1024,cols=1024", &problem, error);
    const struct rung *rung = status == STATUS_OK ? rung_by_name(problem.kernel, "naive", error) : NULL;
    if (!rung)
        return STATUS_INVALID;
    options.seconds = seconds;
    options.end_to_end = false;
    for (size_t d = 0; status == STATUS_OK && d < session->selection.device_count; d++)
        if ((rung->backends & session->selection.devices[d]->backend->kind) &&
            (on_cpu || !device_rehearses(session->selection.devices[d])))
            status = sweep_device(session, &options, &problem, rung, session->selection.devices[d], error);
    return status;
}
