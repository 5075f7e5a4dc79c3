#include "library/job.h"

#include <stdio.h>
#include <string.h>

#include "backends/cpu/cpu.h"
#include "backends/driver_call.h"
#include "base/floating_mode.h"

static bool on_host(const struct device *device)
{
    return device->backend->kind == BACKEND_CPU;
}

static enum status allocate(struct job *job, struct device *device, struct error *error)
{
    size_t scratch = job->borrows ? 0 : job->prepared.scratch_bytes;
    return scratch > 0 ? buffer_allocate(device, scratch, &job->scratch, error) : STATUS_OK;
}

static enum status reserve(struct job *job, int array, struct error *error)
{
    if (job->buffers[array].device)
        return STATUS_OK;
    return buffer_allocate(job->prepared.run.device, job->arrays[array].bytes, &job->buffers[array], error);
}

enum status job_reserve(struct job *job, struct error *error)
{
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && !on_host(job->prepared.run.device) && i < job->array_count; i++)
        status = reserve(job, i, error);
    return status;
}

static enum status make(struct job *job, struct device *device, const struct rung_times *times, struct error *error)
{
    struct rung_choice choice;
    enum status status = kernel_describe(&job->problem, job->arrays, &job->array_count, error);
    if (status == STATUS_OK)
        status = job->keeps_rung ? choose_rung_for_any_threads(&job->problem, device, &choice, error)
                                 : choose_rung(&job->problem, device, times, &choice, error);
    if (status == STATUS_OK)
        status = prepared_run_plan(&job->prepared, choice.rung, &job->problem, device, &choice.parameters, error);
    if (status == STATUS_OK)
        status = allocate(job, device, error);
    if (status == STATUS_OK)
        status = prepared_run_make(&job->prepared, job->arrays, job->array_count, job->buffers, &job->scratch, error);
    job->prepared.run.keeps_bits = job->keeps_rung;
    return status;
}

enum status job_make(struct job *job, struct device *device, const struct problem *problem,
                     const struct rung_times *times, struct error *error)
{
    const struct driver_call part = driver_job_begin(device);
    job->problem = *problem;
    enum status status = make(job, device, times, error);
    driver_call_end(part);
    if (status != STATUS_OK)
        job_finish(job);
    return status;
}

enum status job_prepare(struct job *job, struct device *device, const char *text, const struct rung_times *times,
                        struct error *error)
{
    struct problem problem;
    if (job->prepared.is_prepared && job->prepared.run.device == device && strcmp(job->text, text) == 0)
        return STATUS_OK;
    job_finish(job);
    enum status status = problem_parse(text, &problem, error);
    if (status == STATUS_OK)
        status = job_make(job, device, &problem, times, error);
    if (status == STATUS_OK)
        snprintf(job->text, sizeof job->text, "%s", text);
    return status;
}

void job_borrow(struct job *job)
{
    job->borrows = true;
}

void job_lend(struct job *job, void *memory)
{
    cpu_wrap(job->prepared.run.device, memory, job->prepared.scratch_bytes, &job->scratch);
}

void job_finish(struct job *job)
{
    prepared_run_finish(&job->prepared);
    for (int i = 0; i < job->array_count; i++)
        buffer_release(&job->buffers[i]);
    buffer_release(&job->scratch);
    *job = (struct job){.times = job->times};
}

/* The caller's memory is the buffer, or is copied into it. */
static enum status take_in(struct job *job, void *const data[], struct error *error)
{
    for (int i = 0; i < job->array_count; i++) {
        const struct array *array = &job->arrays[i];
        enum status status = STATUS_OK;
        if (on_host(job->prepared.run.device))
            cpu_wrap(job->prepared.run.device, data[i], array->bytes, &job->buffers[i]);
        else if (array->direction != ARRAY_OUT && data[i]) /* NULL: nobody reads it */
            status = buffer_write(&job->buffers[i], 0, data[i], array->bytes - job->tails[i], error);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

static enum status give_back(struct job *job, void *const data[], struct error *error)
{
    for (int i = 0; i < job->array_count; i++) {
        const struct array *array = &job->arrays[i];
        if (on_host(job->prepared.run.device)) {
            job->buffers[i] = (struct buffer){0}; /* no pointer of the caller's is kept */
            continue;
        }
        enum status status = array->direction == ARRAY_IN
                                 ? STATUS_OK
                                 : buffer_read(&job->buffers[i], 0, data[i], array->bytes - job->tails[i], error);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

enum status job_run(struct job *job, void *const data[], struct error *error)
{
    const struct driver_call part = driver_job_begin(job->prepared.run.device);
    enum status status = job_reserve(job, error);
    if (status == STATUS_OK)
        status = take_in(job, data, error);
    prepared_run_use(&job->prepared, job->buffers);
    if (status == STATUS_OK)
        status = prepared_run_run(&job->prepared, error);
    if (status == STATUS_OK)
        status = give_back(job, data, error);
    return driver_call_done(part, status);
}

/* The input of the first array, where it is elsewhere: the rung reads it there, or it is copied. */
static enum status take_origin(struct job *job, struct buffer *origin, struct buffer *first, struct error *error)
{
    if (job->prepared.run.rung->takes_origin)
        job->prepared.run.origin = origin;
    else
        return buffer_copy(first, 0, origin, 0, job->arrays[0].bytes, error);
    return STATUS_OK;
}

enum status job_enqueue(struct job *job, const uintptr_t memory[], uintptr_t origin, job_wrap *wrap,
                        struct error *error)
{
    struct buffer buffers[KERNEL_ARRAYS_MAX], input;
    const struct driver_call part = driver_job_begin(job->prepared.run.device);
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < job->array_count; i++) {
        status = memory[i] ? wrap(job->prepared.run.device, memory[i], job->arrays[i].bytes - job->tails[i],
                                  &buffers[i], error)
                           : reserve(job, i, error);
        if (!memory[i])
            buffers[i] = job->buffers[i];
    }
    if (status == STATUS_OK && origin)
        status = wrap(job->prepared.run.device, origin, job->arrays[0].bytes, &input, error);
    if (status == STATUS_OK && origin)
        status = take_origin(job, &input, &buffers[0], error);
    prepared_run_use(&job->prepared, buffers);
    if (status == STATUS_OK)
        status = prepared_run_enqueue(&job->prepared, error);
    prepared_run_use(&job->prepared, job->buffers);
    job->prepared.run.origin = NULL;
    return driver_call_done(part, status);
}

enum status job_do(struct job *job, struct device *device, const char *text, void *const data[], struct error *error)
{
    const uint64_t mode = floating_mode_begin();
    enum status status = job_prepare(job, device, text, job->times, error);
    if (status == STATUS_OK)
        status = job_run(job, data, error);
    floating_mode_end(mode);
    return status;
}
