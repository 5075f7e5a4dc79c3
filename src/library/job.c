#include "library/job.h"

#include <stdio.h>
#include <string.h>

#include "backends/cpu/cpu.h"
#include "backends/cpu/floating_state.h"

static bool on_host(const struct device *device)
{
    return device->backend->kind == BACKEND_CPU;
}

/* Takes the rung unless it refuses: `refused`, with the reason. */
static enum status try_rung(struct job *job, struct device *device, const struct rung *rung, char *reason, size_t size,
                            bool *refused, struct error *error)
{
    struct parameters parameters;
    enum status status = rung_defaults(rung, &job->problem, &parameters, error);
    if (status != STATUS_OK)
        return status;
    *refused = rung_refuses(rung, &job->problem, device, &parameters, reason, size) != NULL;
    if (!*refused)
        job->run = (struct run){.rung = rung, .parameters = parameters};
    return STATUS_OK;
}

/* The one that the kernel's own policy names, or the highest rung that does not refuse. A reason is kept for the case
 * that all do. */
static enum status choose_rung(struct job *job, struct device *device, struct error *error)
{
    const struct rung *const *rungs;
    const struct kernel *kernel = job->problem.kernel;
    size_t count;
    char reason[512] = "the ladder has no rung for it";
    enum status status = kernel_rungs(kernel, &rungs, &count, error);
    enum rung_kind wanted = on_host(device) ? RUNG_HOST : RUNG_DEVICE;
    const char *suits = kernel->choose ? kernel->choose(&job->problem, device) : NULL;
    bool refused = true;
    if (status == STATUS_OK && suits)
        status = try_rung(job, device, rung_by_name(kernel, suits, error), reason, sizeof reason, &refused, error);
    for (size_t i = status == STATUS_OK ? count : 0; refused && i-- > 0;) {
        if (rungs[i]->kind != wanted)
            continue;
        status = try_rung(job, device, rungs[i], reason, sizeof reason, &refused, error);
        if (status != STATUS_OK)
            return status;
    }
    if (status == STATUS_OK && refused)
        status = fail(error, STATUS_UNAVAILABLE, "%s cannot run on %s: %s", job->text, device->id, reason);
    return status;
}

/* Memory on a device that has its own, and scratch memory everywhere. */
static enum status allocate(struct job *job, struct device *device, struct error *error)
{
    size_t scratch;
    enum status status = rung_scratch(job->run.rung, &job->problem, device, &job->run.parameters, &scratch, error);
    if (status == STATUS_OK && scratch > 0)
        status = buffer_allocate(device, scratch, &job->scratch, error);
    for (int i = 0; status == STATUS_OK && !on_host(device) && i < job->run.array_count; i++)
        status = buffer_allocate(device, job->arrays[i].bytes, &job->buffers[i], error);
    job->run.scratch = scratch > 0 ? &job->scratch : NULL;
    return status;
}

static enum status prepare(struct job *job, struct device *device, const char *text, struct error *error)
{
    snprintf(job->text, sizeof job->text, "%s", text);
    enum status status = problem_parse(text, &job->problem, error);
    if (status == STATUS_OK)
        status = choose_rung(job, device, error);
    if (status != STATUS_OK)
        return status;
    job->run.problem = &job->problem;
    job->run.device = device;
    job->run.arrays = job->arrays;
    job->run.buffers = job->buffers;
    status = kernel_describe(&job->problem, job->arrays, &job->run.array_count, error);
    if (status == STATUS_OK)
        status = allocate(job, device, error);
    return status;
}

enum status job_prepare(struct job *job, struct device *device, const char *text, struct error *error)
{
    if (job->run.device == device && strcmp(job->text, text) == 0)
        return STATUS_OK;
    job_finish(job);
    enum status status = prepare(job, device, text, error);
    const struct rung *rung = job->run.rung;
    if (status == STATUS_OK && rung->prepare) {
        status = rung->prepare(&job->run, error);
        if (status != STATUS_OK)
            job->run.rung = NULL; /* nothing for its finish to free */
    }
    if (status != STATUS_OK)
        job_finish(job);
    return status;
}

void job_finish(struct job *job)
{
    if (job->run.rung && job->run.rung->finish && job->run.device)
        job->run.rung->finish(&job->run);
    for (int i = 0; i < job->run.array_count; i++)
        buffer_release(&job->buffers[i]);
    buffer_release(&job->scratch);
    memset(job, 0, sizeof *job);
}

/* The caller's memory is the buffer, or is copied into it. */
static enum status take_in(struct job *job, void *const data[], struct error *error)
{
    for (int i = 0; i < job->run.array_count; i++) {
        const struct array *array = &job->arrays[i];
        enum status status = STATUS_OK;
        if (on_host(job->run.device))
            cpu_wrap(job->run.device, data[i], array->bytes, &job->buffers[i]);
        else if (array->direction != ARRAY_OUT)
            status = buffer_write(&job->buffers[i], 0, data[i], array->bytes, error);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

static enum status give_back(struct job *job, void *const data[], struct error *error)
{
    for (int i = 0; i < job->run.array_count; i++) {
        const struct array *array = &job->arrays[i];
        if (on_host(job->run.device)) {
            job->buffers[i] = (struct buffer){0}; /* no pointer of the caller's is kept */
            continue;
        }
        enum status status =
            array->direction == ARRAY_IN ? STATUS_OK : buffer_read(&job->buffers[i], 0, data[i], array->bytes, error);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

enum status job_run(struct job *job, void *const data[], struct error *error)
{
    enum status status = take_in(job, data, error);
    if (status == STATUS_OK)
        status = job->run.rung->enqueue(&job->run, error);
    if (status == STATUS_OK)
        status = device_synchronize(job->run.device, error);
    return status == STATUS_OK ? give_back(job, data, error) : status;
}

enum status job_do(struct job *job, struct device *device, const char *text, void *const data[], struct error *error)
{
    struct floating_scope floating;
    enum status status = floating_scope_begin(&floating) ? STATUS_OK : fail(error, STATUS_UNAVAILABLE, "no memory");
    if (status == STATUS_OK)
        status = job_prepare(job, device, text, error);
    if (status == STATUS_OK)
        status = job_run(job, data, error);
    floating_scope_end(&floating);
    return status;
}
