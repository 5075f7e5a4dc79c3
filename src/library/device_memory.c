/* uskor_open_opencl, uskor_open_cuda, uskor_run_device: the caller's own queue, and arrays that are on the device. */
#include <pthread.h>
#include <stdio.h>

#include "backends/adopt.h"
#include "library/context.h"

enum uskor_status uskor_open_opencl(struct uskor **context, void *queue)
{
    return context_adopt(context, opencl_adopt, opencl_wrap, queue);
}

enum uskor_status uskor_open_cuda(struct uskor **context, void *stream)
{
    return context_adopt(context, cuda_adopt, cuda_wrap, stream);
}

/* ---- a run --------------------------------------------------------------------------------------------------------
 */

/* The kernel's arrays, in its order; an array that no served rung writes is the plan's own. */
static enum status find_arrays(const struct uskor_plan *plan, const struct plan_arrays *arrays,
                               uintptr_t memory[KERNEL_ARRAYS_MAX], struct error *error)
{
    const struct operation *operation = plan->key.operation;
    const uintptr_t from[] = {[PLAN_FIRST] = (uintptr_t)arrays->first,
                              [PLAN_SECOND] = (uintptr_t)arrays->second,
                              [PLAN_TARGET] = (uintptr_t)arrays->target,
                              [PLAN_UNUSED] = 0};
    for (size_t i = 0; i < operation->array_count; i++) {
        memory[i] = from[operation->arrays[i]];
        if (!memory[i] && operation->arrays[i] != PLAN_UNUSED && plan->job.arrays[i].bytes > 0)
            return fail(error, STATUS_INVALID, "%s: the array %s is NULL", operation->kernel, plan->job.arrays[i].name);
        if (i > 0 && memory[i] && plan->job.arrays[i].direction != ARRAY_IN)
            for (size_t k = 0; k < i; k++)
                if (memory[k] == memory[i])
                    return fail(error, STATUS_INVALID, "%s: the arrays %s and %s are one", operation->kernel,
                                plan->job.arrays[k].name, plan->job.arrays[i].name);
    }
    return STATUS_OK;
}

static enum status run(struct uskor_plan *plan, const struct plan_arrays *arrays, struct error *error)
{
    struct uskor *context = plan->context;
    uintptr_t memory[KERNEL_ARRAYS_MAX];
    if (!context->wrap)
        return fail(error, STATUS_INVALID,
                    "the context has no queue of the caller's: uskor_open_opencl or uskor_open_cuda opens one");
    if (plan->key.is_empty)
        return STATUS_OK;
    enum status status = find_arrays(plan, arrays, memory, error);
    if (status != STATUS_OK)
        return status;
    context->last = &plan->job;
    context->rung = plan->job.prepared.run.rung;
    const bool is_in_place = plan->job.arrays[0].direction == ARRAY_INOUT;
    const void *origin = is_in_place && arrays->first != arrays->target ? arrays->first : NULL;
    return job_enqueue(&plan->job, memory, (uintptr_t)origin, context->wrap, error);
}

enum uskor_status uskor_run_device(struct uskor_plan *plan, void *target, const void *first, const void *second)
{
    const struct plan_arrays arrays = {.target = target, .first = first, .second = second};
    enum uskor_status entered = context_enter(plan ? plan->context : NULL);
    if (entered != USKOR_OK || !plan)
        return entered;
    return context_leave(plan->context, run(plan, &arrays, &plan->context->error));
}

/* ---- which devices there are --------------------------------------------------------------------------------------
 */

#define NAMES_MOST 64

static char names[NAMES_MOST][32];
static size_t name_count;

static void find_names(void)
{
    for (size_t i = 0; backends[i]; i++) {
        struct error error = {""};
        int count = 0;
        if (backends[i]->probe(&count, &error) != STATUS_OK)
            continue;
        for (int k = 0; k < count && name_count < NAMES_MOST; k++, name_count++)
            if (backends[i]->kind == BACKEND_CPU)
                snprintf(names[name_count], sizeof names[0], "%s", backends[i]->name);
            else
                snprintf(names[name_count], sizeof names[0], "%s:%d", backends[i]->name, k);
    }
}

static void look(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_names);
}

size_t uskor_device_count(void)
{
    look();
    return name_count;
}

const char *uskor_device_name(size_t index)
{
    look();
    return index < name_count ? names[index] : "";
}
