/* Compiling a user's rung: the judge's half and the child's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/under_way.h"
#include "judge/judge.h"
#include "judge/protocol.h"
#include "judge/user_rung.h"
#include "kernels/prepared_run.h"

/* ---- the child ---- */

static enum status compile(int argc, char **argv, struct error *error)
{
    struct problem problem;
    struct device *device;
    struct array arrays[KERNEL_ARRAYS_MAX];
    int array_count;
    char reason[256];
    struct device_job job = {0};
    snprintf(job.id, sizeof job.id, "%s", argv[argc - 4]);
    snprintf(job.name, sizeof job.name, "%s", argv[argc - 3]);
    enum status status = judge_take_user_rung(argc, argv, error);
    if (status == STATUS_OK)
        status = problem_parse(argv[argc - 1], &problem, error);
    if (status == STATUS_OK)
        status = judge_device(&job, &device, error);
    if (status != STATUS_OK)
        return status;
    const struct rung *rung = rung_by_name(problem.kernel, argv[argc - 2], error);
    struct parameters parameters;
    status = rung ? rung_defaults(rung, &problem, &parameters, error) : STATUS_INVALID;
    if (status == STATUS_OK)
        status = kernel_describe(&problem, arrays, &array_count, error);
    if (status != STATUS_OK)
        return status;
    const char *refused = rung_refuses(rung, &problem, device, &parameters, reason, sizeof reason);
    if (refused)
        return fail(error, STATUS_UNAVAILABLE, "%s", refused);
    under_way_begin(UNDER_WAY_RUNG, rung->name, argv[argc - 1], job.id);
    struct prepared_run prepared;
    status = prepared_run_plan(&prepared, rung, &problem, device, &parameters, error);
    if (status == STATUS_OK)
        status = prepared_run_make(&prepared, arrays, array_count, NULL, NULL, error); /* nothing is enqueued */
    under_way_end();
    return status;
}

int compile_child(struct child_link *parent, int argc, char **argv)
{
    struct judge_done done = {.status = STATUS_INVALID};
    judge_child_begin(false);
    if (argc >= 4)
        done.status = compile(argc, argv, &done.error);
    message_pack(done.error.text, done.origin);
    child_report(parent, JUDGE_DONE, &done, sizeof done);
    return 0;
}

/* ---- the judge ---- */

enum status judge_compile(const struct child_limits *limits, const struct problem *problem, const struct device *device,
                          const char *rung, struct error *error)
{
    const char *arguments[CHILD_ARGUMENTS_MOST + 1] = {0};
    const char *const *own = user_rung_arguments();
    char text[PROBLEM_TEXT_MAX];
    size_t count = 0;
    for (; own && own[count]; count++)
        arguments[count] = own[count];
    arguments[count++] = device->id;
    arguments[count++] = device->properties.name;
    arguments[count++] = rung;
    arguments[count++] = problem_text(problem, text);
    struct child_process child;
    struct child_message message = {0};
    struct error why;
    enum status status = child_start("compile", arguments, limits, &child, error);
    if (status != STATUS_OK)
        return status;
    enum child_event event = child_wait(&child, judge_interrupted, NULL, &message, &why);
    if (event == CHILD_MESSAGE && message.bytes == sizeof(struct judge_done)) {
        const struct judge_done *done = message.data;
        message_unpack(done->error.text, done->origin);
        status = done->status == STATUS_OK ? STATUS_OK : fail(error, done->status, "%s", done->error.text);
    } else if (event == CHILD_CANCELLED) {
        status = fail(error, STATUS_INTERRUPTED, "interrupted");
    } else {
        status = fail(error, STATUS_FAILED, "%s, when it was compiled: %s", rung, why.text);
    }
    free(message.data);
    child_end(&child);
    return status;
}
