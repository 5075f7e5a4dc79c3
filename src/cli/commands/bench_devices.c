#include "cli/commands/bench_parts.h"

#include <string.h>

#include "distributed/bench.h"
#include "report/terminal/report.h"

struct context {
    const char *text;
    bool weak;
};

static const struct context *context_of(const struct bench_session *session)
{
    return session->context;
}

static void print(FILE *stream, const struct bench_session *session, struct style style)
{
    report_several_devices(stream, &session->list, context_of(session)->weak, style);
}

static enum status bench_target(struct bench_session *session, const struct device_group *group, const char *text,
                                struct error *error)
{
    struct problem problem;
    const char *name_end = strchr(text, ':');
    const struct kernel *kernel = name_end ? NULL : kernel_by_name(text, error);
    const struct device_ladder *ladder = kernel ? device_ladder_of(kernel, error) : NULL;
    if (!name_end && !ladder)
        return STATUS_INVALID;
    enum status status = problem_parse(ladder ? ladder->bench : text, &problem, error);
    if (status == STATUS_OK && !(ladder = device_ladder_of(problem.kernel, error)))
        status = STATUS_INVALID;
    if (status != STATUS_OK)
        return status;
    if (session->has_seed)
        problem.seed = session->seed;
    const struct device_bench how = {
        .rung_names = session->selection.rung_names,
        .rung_name_count = session->selection.rung_name_count,
        .weak = context_of(session)->weak,
        .seconds = session->options.seconds,
        .progress = progress_show,
        .progress_context = &session->progress,
        .finished = bench_session_keep,
        .finished_context = session,
    };
    return device_bench(ladder, &problem, group, &how, &session->list, error);
}

static enum status bench_all(struct bench_session *session, struct error *error)
{
    struct device_group group;
    enum status status = group_open(context_of(session)->text, &group, error);
    for (size_t i = 0; status == STATUS_OK && i < session->target_count; i++)
        status = bench_target(session, &group, session->targets[i], error);
    group_close(&group);
    return status;
}

int run_bench_devices(struct bench_session *session, const char *group, bool weak)
{
    struct context context = {group, weak};
    struct error error;
    char ids[GROUP_MAX][32];
    size_t count;
    session->context = &context;
    enum status status = group_parse(group, ids, &count, &error);
    if (status == STATUS_OK) /* the session opens one of them, and not everything that there is */
        status = selection_add_device(&session->selection, ids[0], &error);
    if (status == STATUS_OK)
        status = bench_session_start(session, &error);
    if (status == STATUS_OK)
        status = bench_all(session, &error);
    return bench_session_end(session, status, &error, print);
}
