/* Compiling a user's rung: the judge's half and the child's. The child that checks it compiles it, too: a runtime loads
 * its compiler once. */
#include <stdio.h>
#include <stdlib.h>

#include "backends/cuda/compile.h"
#include "base/clock.h"
#include "base/message.h"
#include "base/under_way.h"
#include "judge/judge.h"
#include "judge/protocol.h"
#include "judge/user_rung.h"
#include "kernels/prepared_run.h"
#include "kernels/rung_header.h"

#define COMPILED_FOR "compute_90" /* where no device is there to compile for */

/* ---- the child ---- */

/* CUDA C, by NVRTC. */
static enum status compile_for_none(const struct problem *problem, const char *name, struct error *error)
{
    struct parameters parameters;
    struct program_source source = {.language = LANGUAGE_CUDA_C, .name = user_rung_name()};
    char **defines;
    void *image = NULL;
    size_t bytes;
    const struct rung *rung = rung_by_name(problem->kernel, name, error);
    enum status status = rung ? rung_defaults(rung, problem, &parameters, error) : STATUS_INVALID;
    if (status == STATUS_OK)
        status = judge_close_walls(NULL, error);
    if (status != STATUS_OK ||
        device_rung_defines(rung, problem, &parameters, &defines, &source.define_count, error) != STATUS_OK)
        return status == STATUS_SYSTEM ? status : STATUS_UNAVAILABLE;
    source.text = rung->source->text;
    source.defines = (const char *const *)defines;
    under_way_begin(UNDER_WAY_RUNG, rung->name, "", "");
    status = cuda_compile(&source, COMPILED_FOR, &image, &bytes, error);
    under_way_end();
    device_rung_defines_free(defines, source.define_count);
    free(image);
    return status;
}

enum status compile_here(const struct compile_job *job, struct error *error)
{
    struct problem problem;
    struct device *device;
    struct array arrays[KERNEL_ARRAYS_MAX];
    int array_count;
    char reason[256];
    enum status status = problem_parse(job->problem, &problem, error);
    if (status == STATUS_OK && !job->device.id[0])
        return compile_for_none(&problem, job->rung, error);
    if (status == STATUS_OK)
        status = judge_device(&job->device, &device, error);
    if (status == STATUS_OK)
        status = judge_close_walls(device, error);
    if (status != STATUS_OK)
        return status;
    const struct rung *rung = rung_by_name(problem.kernel, job->rung, error);
    struct parameters parameters;
    status = rung ? rung_defaults(rung, &problem, &parameters, error) : STATUS_INVALID;
    if (status == STATUS_OK)
        status = kernel_describe(&problem, arrays, &array_count, error);
    if (status != STATUS_OK)
        return status;
    const char *refused = rung_refuses(rung, &problem, device, &parameters, reason, sizeof reason);
    if (refused)
        return fail(error, STATUS_UNAVAILABLE, "%s", refused);
    under_way_begin(UNDER_WAY_RUNG, rung->name, job->problem, job->device.id);
    struct prepared_run prepared;
    status = prepared_run_plan(&prepared, rung, &problem, device, &parameters, error);
    if (status == STATUS_OK)
        status = prepared_run_make(&prepared, arrays, array_count, NULL, NULL, error); /* nothing is enqueued */
    prepared_run_finish(&prepared);
    under_way_end();
    return status;
}

/* ---- the judge ---- */

enum status judge_compile(struct judge *judge, const struct problem *problem, const struct device *device,
                          const char *rung, struct error *error)
{
    struct compile_job job = {.device = device ? judge_name_device(device) : (struct device_job){.id = ""}};
    struct child_message message = {0};
    struct error why;
    enum status status = STATUS_OK;
    problem_text(problem, job.problem);
    snprintf(job.rung, sizeof job.rung, "%s", rung);
    if (!judge->child.id)
        status = judge_start_checking(judge, error);
    if (status != STATUS_OK)
        return status;
    judge->child.last_message = clock_now();
    judge->child.limits.memory_bytes = judge_memory_most(problem, device, judge->memory_most);
    child_send(&judge->child.link, JUDGE_COMPILE, &job, sizeof job); /* the wait for a dead child reports its end */
    enum child_event event = child_wait(&judge->child, judge_interrupted, NULL, &message, &why);
    if (event == CHILD_MESSAGE && message.type == JUDGE_DONE) {
        const struct judge_done *done = message.data;
        message_unpack(done->error.text, done->origin);
        status = done->status == STATUS_OK ? STATUS_OK : fail(error, done->status, "%s", done->error.text);
    } else if (event == CHILD_CANCELLED) {
        status = fail(error, STATUS_INTERRUPTED, "interrupted");
    } else if (event == CHILD_STOPPED || event == CHILD_LACKING) {
        status = fail(error, STATUS_UNAVAILABLE, "%s", why.text);
    } else if (event == CHILD_MESSAGE) {
        event = CHILD_LEFT;
        status = fail(error, STATUS_FAILED,
                      "%s, when it was compiled: sent its judge verdicts that it was not asked for", rung);
    } else {
        status = fail(error, STATUS_FAILED, "%s, when it was compiled: %s", rung, why.text);
    }
    free(message.data);
    if (event != CHILD_MESSAGE)
        judge_close(judge);
    return status;
}
