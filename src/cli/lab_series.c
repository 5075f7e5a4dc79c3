#include "cli/lab_series.h"

#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "cli/keeping.h"
#include "lab/describe.h"
#include "lab/memory_need.h"
#include "lab/sweep.h"

/* Sizes below each kernel's bench, which is the last point of its line. */
static const struct {
    const char *kernel;
    const char *problems[3];
} series[] = {
    {"transpose", {"transpose:rows=512,cols=512", "transpose:rows=2048,cols=2048"}},
    {"sort", {"sort:n=2^14", "sort:n=2^17"}},
    {"dot", {"dot:n=2^17", "dot:n=2^20"}},
    {"matmul", {"matmul:m=240,n=240,k=240", "matmul:m=480,n=480,k=480"}},
    {"resize", {"resize:width=512,height=512", "resize:width=1024,height=1024"}},
    {"pipeline", {"pipeline:n=2^12", "pipeline:n=2^15"}},
};

bool device_rehearses(const struct device *device)
{
    return device->properties.is_cpu && device->backend->kind != BACKEND_CPU;
}

/* The rungs of a problem that this machine has no memory for, each as a SKIP. */
static enum status skip_all(struct measuring *measuring, const struct problem *problem,
                            const struct contender *contenders, size_t count, const char *reason, struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        struct measurement *skipped = measurement_list_add(&measuring->list);
        if (!skipped)
            return fail(error, STATUS_UNAVAILABLE, "no memory for another measurement");
        describe_measurement(skipped, problem, &contenders[i], false);
        conclude_measurement(skipped, VERDICT_SKIP, reason);
        measuring_keep(measuring, skipped);
    }
    return STATUS_OK;
}

/* One problem too large must not stop the lab: what comes after it may fit. */
static enum status bench_if_it_fits(struct measuring *measuring, const struct problem *problem,
                                    const struct contender *contenders, size_t count,
                                    const struct bench_options *options, struct error *error)
{
    struct error why;
    enum status status = memory_need_check(problem, contenders, count, 0, &why);
    if (status == STATUS_INVALID)
        return skip_all(measuring, problem, contenders, count, why.text, error);
    if (status != STATUS_OK)
        return fail(error, status, "%s", why.text);
    return isolation_bench(&measuring->isolation, problem, contenders, count, options, &measuring->list, error);
}

enum status lab_bench_text(struct measuring *measuring, const struct selection *selection,
                           const struct bench_options *options, const char *text, struct error *error)
{
    struct problem problem;
    struct contender *contenders;
    size_t count;
    enum status status = problem_parse(text, &problem, error);
    if (status == STATUS_OK)
        status = selection_contenders(selection, &problem, &contenders, &count, error);
    if (status != STATUS_OK)
        return status;
    status = bench_if_it_fits(measuring, &problem, contenders, count, options, error);
    free(contenders);
    return status;
}

enum status lab_sizes(struct measuring *measuring, const struct kernel *kernel, double seconds, struct error *error)
{
    struct selection performing = measuring->selection;
    struct bench_options options = measuring->options;
    enum status status = STATUS_OK;
    performing.device_count = 0;
    for (size_t d = 0; d < measuring->selection.device_count; d++)
        if (!device_rehearses(measuring->selection.devices[d]))
            performing.devices[performing.device_count++] = measuring->selection.devices[d];
    options.seconds = seconds;
    for (size_t s = 0; s < COUNT_OF(series) && performing.device_count; s++)
        for (size_t p = 0; strcmp(series[s].kernel, kernel->name) == 0 && series[s].problems[p]; p++)
            if (status == STATUS_OK)
                status = lab_bench_text(measuring, &performing, &options, series[s].problems[p], error);
    return status;
}

static enum status sweep_device(struct measuring *measuring, const struct bench_options *options,
                                const struct problem *problem, const struct rung *rung, struct device *device,
                                struct error *error)
{
    struct axis axes[2];
    struct contender *contenders;
    size_t count;
    enum status status = axis_parse("BX=1..1024", &axes[0], error);
    if (status == STATUS_OK)
        status = axis_parse("BY=1..1024", &axes[1], error);
    if (status == STATUS_OK)
        status = sweep_contenders(device, rung, problem, &measuring->selection.overrides, axes, COUNT_OF(axes),
                                  &contenders, &count, error);
    if (status != STATUS_OK)
        return status;
    status = bench_if_it_fits(measuring, problem, contenders, count, options, error);
    free(contenders);
    return status;
}

enum status lab_group_shapes(struct measuring *measuring, double seconds, struct error *error)
{
    struct bench_options options = measuring->options;
    struct problem problem;
    enum status status = problem_parse("transpose:rows=1024,cols=1024", &problem, error);
    const struct rung *rung = status == STATUS_OK ? rung_by_name(problem.kernel, "naive", error) : NULL;
    if (!rung)
        return STATUS_INVALID;
    options.seconds = seconds;
    options.whole = false;
    for (size_t d = 0; status == STATUS_OK && d < measuring->selection.device_count; d++)
        if (rung->backends & measuring->selection.devices[d]->backend->kind)
            status = sweep_device(measuring, &options, &problem, rung, measuring->selection.devices[d], error);
    return status;
}
