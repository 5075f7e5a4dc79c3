#include "library/call.h"

#include <stdlib.h>
#include <string.h>

#include "library/context.h"

/* ---- one plan -----------------------------------------------------------------------------------------------------
 */

static bool is_on_cpu(const struct uskor *context)
{
    return context->device->backend->kind == BACKEND_CPU;
}

/* On the cpu a context's plans share scratch memory. */
static enum status reserve(struct uskor *context, size_t bytes, struct error *error)
{
    if (bytes <= context->scratch.bytes)
        return STATUS_OK;
    buffer_release(&context->scratch);
    return buffer_allocate(context->device, bytes, &context->scratch, error);
}

static enum status make_problem(const struct plan_key *key, struct problem *problem, struct error *error)
{
    const struct kernel *kernel = kernel_by_name(key->operation->kernel, error);
    if (!kernel)
        return STATUS_FAILED;
    *problem = problem_default(kernel);
    problem->type = (enum element_type)key->type;
    memcpy(problem->values, key->values, key->operation->values * sizeof *problem->values);
    return STATUS_OK;
}

static enum status new_plan(struct uskor *context, const struct plan_key *key, struct uskor_plan **plan,
                            struct error *error)
{
    struct problem problem;
    struct uskor_plan *made = calloc(1, sizeof *made);
    if (!made)
        return fail(error, STATUS_UNAVAILABLE, "out of memory");
    *made = (struct uskor_plan){.key = *key, .context = context};
    enum status status = STATUS_OK;
    if (!key->is_empty) {
        status = make_problem(key, &problem, error);
        made->job.keeps_rung = key->keeps_rung;
        if (is_on_cpu(context))
            job_borrow(&made->job);
        if (status == STATUS_OK)
            status = job_make(&made->job, context->device, &problem, context->times, error);
        for (size_t i = 0; status == STATUS_OK && key->operation->tail && i < key->operation->array_count; i++)
            made->job.tails[i] = key->operation->tail(key, key->operation->arrays[i]);
    }
    if (status != STATUS_OK) {
        plan_free(made);
        return status;
    }
    *plan = made;
    return STATUS_OK;
}

/* Memory that a run needs. Scratch memory on the cpu: the caller's, or the context's, which the first plan that needs
 * so much takes. */
static enum status provide(struct uskor_plan *plan, const struct plan_arrays *arrays, struct error *error)
{
    struct uskor *context = plan->context;
    const size_t bytes = plan->job.prepared.scratch_bytes;
    enum status status = STATUS_OK;
    if (!is_on_cpu(context))
        return job_reserve(&plan->job, error);
    if (bytes == 0)
        return STATUS_OK;
    if (!arrays->scratch)
        status = reserve(context, bytes, error);
    if (status == STATUS_OK)
        job_lend(&plan->job, arrays->scratch ? arrays->scratch : context->scratch.host);
    return status;
}

static enum status run(struct uskor_plan *plan, struct plan_arrays arrays, struct error *error)
{
    struct uskor *context = plan->context;
    const struct operation *operation = plan->key.operation;
    void *const from[] = {[PLAN_FIRST] = (void *)(uintptr_t)arrays.first,
                          [PLAN_SECOND] = (void *)(uintptr_t)arrays.second,
                          [PLAN_TARGET] = arrays.target,
                          [PLAN_UNUSED] = &context->unused};
    void *data[KERNEL_ARRAYS_MAX];
    if (plan->key.is_empty)
        return STATUS_OK;
    enum status status = provide(plan, &arrays, error);
    if (status != STATUS_OK)
        return status;
    context->last = &plan->job;
    context->rung = plan->job.prepared.run.rung;
    for (size_t i = 0; i < operation->array_count; i++)
        data[i] = from[operation->arrays[i]];
    return job_run(&plan->job, data, error);
}

/* Plans hold memory of a device's: where it is short, those that can be made again go. */
static enum status plan_make(struct uskor *context, const struct plan_key *key, struct uskor_plan **plan,
                             struct error *error)
{
    enum status status = new_plan(context, key, plan, error);
    if (status == STATUS_UNAVAILABLE && context->plans.count > 0) {
        plan_cache_empty(&context->plans);
        context->last = NULL;
        status = new_plan(context, key, plan, error);
    }
    if (status == STATUS_OK)
        error->text[0] = '\0';
    return status;
}

static enum status plan_call(struct uskor *context, const struct plan_key *key, struct plan_arrays arrays,
                             struct error *error)
{
    struct plan_cache *cache = &context->plans;
    size_t place = cache->recent;
    if (place >= cache->count || !plan_key_is(&cache->plans[place]->key, key)) {
        const uint64_t hash = plan_hash(key);
        place = plan_find(cache, key, hash);
        if (place == cache->count) {
            struct uskor_plan *made = NULL;
            enum status status = plan_make(context, key, &made, error);
            if (status != STATUS_OK)
                return status;
            place = plan_make_room(cache);
            cache->plans[place] = made;
            cache->hashes[place] = hash;
        }
        cache->recent = place;
    }
    cache->plans[place]->used = ++cache->clock;
    return run(cache->plans[place], arrays, error);
}

/* Where memory is short, the memory of other plans goes first. */
static enum status plan_call_again(struct uskor *context, const struct plan_key *key, struct plan_arrays arrays,
                                   struct error *error)
{
    enum status status = plan_call(context, key, arrays, error);
    if (status != STATUS_UNAVAILABLE || context->plans.count <= 1)
        return status;
    plan_cache_empty(&context->plans);
    context->last = NULL;
    status = plan_call(context, key, arrays, error);
    if (status == STATUS_OK)
        error->text[0] = '\0';
    return status;
}

enum uskor_status call_run(struct uskor *context, call_key *make_key, const void *arguments, struct plan_arrays arrays)
{
    struct plan_key key;
    enum uskor_status entered = context_enter(context);
    if (entered != USKOR_OK)
        return entered;
    enum status status = make_key(arguments, &key, &context->error);
    if (status == STATUS_OK)
        status = key.operation->check(&key, &arrays, &context->error);
    if (status == STATUS_OK)
        status = plan_call_again(context, &key, arrays, &context->error);
    return context_leave(context, status);
}

/* ---- the caller's plans -------------------------------------------------------------------------------------------
 */

static enum status plan_place(struct uskor_plan **place, struct error *error)
{
    if (!place)
        return fail(error, STATUS_INVALID, "the place for the plan is NULL");
    *place = NULL;
    return STATUS_OK;
}

enum uskor_status call_plan(struct uskor *context, struct uskor_plan **plan, call_key *make_key, const void *arguments)
{
    struct plan_key key;
    enum uskor_status entered = context_enter(context);
    if (entered != USKOR_OK)
        return entered;
    enum status status = plan_place(plan, &context->error);
    if (status == STATUS_OK)
        status = make_key(arguments, &key, &context->error);
    if (status == STATUS_OK)
        status = plan_make(context, &key, plan, &context->error);
    return context_leave(context, status);
}

#define SCRATCH_ALIGNMENT 64

static enum status check_scratch(const struct uskor_plan *plan, const void *scratch, size_t bytes, struct error *error)
{
    const size_t needed = uskor_plan_scratch(plan);
    if (scratch && (uintptr_t)scratch % SCRATCH_ALIGNMENT != 0)
        return fail(error, STATUS_INVALID, "the scratch memory is not at a multiple of %d bytes", SCRATCH_ALIGNMENT);
    if (scratch && bytes < needed)
        return fail(error, STATUS_INVALID, "%zu bytes of scratch memory; the plan needs %zu", bytes, needed);
    return STATUS_OK;
}

size_t uskor_plan_scratch(const struct uskor_plan *plan)
{
    return plan && is_on_cpu(plan->context) ? plan->job.prepared.scratch_bytes : 0;
}

enum uskor_status uskor_run_within(struct uskor_plan *plan, void *target, const void *first, const void *second,
                                   void *scratch, size_t scratch_bytes)
{
    const struct plan_arrays arrays = {target, first, second, scratch};
    enum uskor_status entered = context_enter(plan ? plan->context : NULL);
    if (entered != USKOR_OK || !plan)
        return entered;
    struct error *error = &plan->context->error;
    enum status status = plan->key.operation->check(&plan->key, &arrays, error);
    if (status == STATUS_OK)
        status = check_scratch(plan, scratch, scratch_bytes, error);
    if (status == STATUS_OK)
        status = run(plan, arrays, error);
    return context_leave(plan->context, status);
}

enum uskor_status uskor_run(struct uskor_plan *plan, void *target, const void *first, const void *second)
{
    return uskor_run_within(plan, target, first, second, NULL, 0);
}

enum uskor_status uskor_prepare(struct uskor_plan *plan)
{
    const struct plan_arrays none = {.target = NULL};
    enum uskor_status entered = context_enter(plan ? plan->context : NULL);
    if (entered != USKOR_OK || !plan)
        return entered;
    return context_leave(plan->context, plan->key.is_empty ? STATUS_OK : provide(plan, &none, &plan->context->error));
}

enum uskor_status uskor_plan_free(struct uskor_plan *plan)
{
    if (!plan)
        return USKOR_OK;
    struct uskor *context = plan->context;
    enum uskor_status entered = context_enter(context);
    if (entered != USKOR_OK)
        return entered;
    if (context->last == &plan->job)
        context->last = NULL;
    plan_free(plan);
    return context_leave(context, STATUS_OK);
}
