/* The checking child: compiles the user's rung, then checks one problem after another, its rungs in order. */
#include <stdlib.h>

#include "base/message.h"
#include "base/threads.h"
#include "judge/parcel.h"
#include "judge/protocol.h"
#include "judge/user_rung.h"
#include "lab/verification/check.h"

struct reporting {
    struct child_link *parent;
    bool lacks_memory;
};

/* The verdict is sent at once, so that a later crash cannot lose it; behind one that was not, none is. */
static void report(void *context, struct measurement *measurement)
{
    struct reporting *reporting = context;
    reporting->lacks_memory = reporting->lacks_memory || !parcel_report(reporting->parent, JUDGE_MEASURED, measurement);
}

static enum status check(struct child_link *parent, const struct check_job *job, struct error *error)
{
    struct problem problem;
    struct device *device;
    const struct rung *rungs[JUDGE_RUNGS_MOST];
    struct measurement_list list = {0};
    struct reporting reporting = {.parent = parent};
    threads_set(job->threads);
    enum status status = problem_parse(job->problem, &problem, error);
    if (status == STATUS_OK)
        status = judge_device(&job->device, &device, error);
    if (status == STATUS_OK)
        status = judge_close_walls(device, error);
    if (status == STATUS_OK)
        status = threads_suffice(job->threads, 0, error);
    for (size_t i = 0; status == STATUS_OK && i < job->count; i++)
        if (!(rungs[i] = rung_by_name(problem.kernel, job->rungs[i], error)))
            status = STATUS_INVALID;
    if (status != STATUS_OK)
        return status;
    status = lab_check_each(&problem, device, rungs, job->count, &job->overrides, report, &reporting, &list, error);
    if (status == STATUS_OK && reporting.lacks_memory)
        status = fail(error, STATUS_UNAVAILABLE, "no memory for another measurement");
    measurement_list_free(&list);
    return status;
}

int check_child(struct child_link *parent, int argc, char **argv)
{
    struct child_message message;
    struct error error;
    judge_child_begin(true);
    enum status status = judge_take_user_rung(argc, argv, &error);
    while (child_receive(parent, &message)) {
        struct judge_done done = {.status = STATUS_INVALID};
        if (status != STATUS_OK)
            done.status = fail(&done.error, status, "%s", error.text);
        else if (message.type == JUDGE_CHECK && message.bytes == sizeof(struct check_job))
            done.status = check(parent, message.data, &done.error);
        else if (message.type == JUDGE_COMPILE && message.bytes == sizeof(struct compile_job))
            done.status = compile_here(message.data, &done.error);
        message_pack(done.error.text, done.origin);
        child_report(parent, JUDGE_DONE, &done, sizeof done);
        free(message.data);
    }
    return 0;
}
