#include "library/context.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/floating_mode.h"
#include "base/pool.h"
#include "base/processors.h"
#include "version.h"

/* Why this thread's last call had no context to work with. */
static _Thread_local struct error own_error;

enum uskor_status context_status(enum status status)
{
    static const enum uskor_status words[] = {
        [STATUS_OK] = USKOR_OK,           [STATUS_FAILED] = USKOR_FAILED,
        [STATUS_INVALID] = USKOR_INVALID, [STATUS_UNAVAILABLE] = USKOR_UNAVAILABLE,
        [STATUS_SYSTEM] = USKOR_SYSTEM,   [STATUS_INTERRUPTED] = USKOR_SYSTEM,
    };
    return words[status];
}

/* ---- calls --------------------------------------------------------------------------------------------------------
 */

enum uskor_status context_enter(struct uskor *context)
{
    if (!context)
        return context_status(fail(&own_error, STATUS_INVALID, "the context is NULL"));
    if (atomic_exchange_explicit(&context->is_taken, true, memory_order_acquire)) {
        fail(&own_error, STATUS_UNAVAILABLE, "the context is in use by another thread: open one for each thread");
        return USKOR_BUSY;
    }
    context->error.text[0] = '\0';
    context->mode = floating_mode_begin();
    return USKOR_OK;
}

enum uskor_status context_leave(struct uskor *context, enum status status)
{
    floating_mode_end(context->mode);
    atomic_store_explicit(&context->is_taken, false, memory_order_release);
    return context_status(status);
}

/* ---- opening ------------------------------------------------------------------------------------------------------
 */

/* How a context's device is opened. */
struct opening {
    const struct device_wish *wish;
    context_adopter *adopt; /* NULL: as the wish says */
    job_wrap *wrap;
    void *queue;
};

static enum uskor_status open_context(struct uskor **context, const struct opening *opening)
{
    own_error.text[0] = '\0';
    if (!context)
        return context_status(fail(&own_error, STATUS_INVALID, "the place for the context is NULL"));
    struct uskor *made = calloc(1, sizeof *made);
    *context = NULL;
    if (!made)
        return context_status(fail(&own_error, STATUS_UNAVAILABLE, "out of memory"));
    const uint64_t mode = floating_mode_begin(); /* a driver may set one of its own */
    enum status status = opening->adopt ? opening->adopt(opening->queue, &made->device, &own_error)
                                        : default_device_open(opening->wish, &made->device, &own_error);
    floating_mode_end(mode);
    if (status != STATUS_OK) {
        free(made);
        return context_status(status);
    }
    made->wrap = opening->wrap;
    *context = made;
    return USKOR_OK;
}

enum uskor_status context_open(struct uskor **context, const struct device_wish *wish)
{
    return open_context(context, &(const struct opening){.wish = wish});
}

enum uskor_status context_adopt(struct uskor **context, context_adopter *adopt, job_wrap *wrap, void *queue)
{
    return open_context(context, &(const struct opening){.adopt = adopt, .wrap = wrap, .queue = queue});
}

static void give_up_when_busy(void)
{
    pool_give_up_when_busy(true);
}

static enum uskor_status open_wish(struct uskor **context, const struct device_wish *wish)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, give_up_when_busy);
    return context_open(context, wish);
}

enum uskor_status uskor_open(struct uskor **context, const char *device)
{
    return open_wish(context, &(const struct device_wish){.name = device});
}

enum uskor_status uskor_open_for(struct uskor **context, const char *problem)
{
    struct problem parsed;
    if (context)
        *context = NULL;
    enum status status =
        problem ? problem_parse(problem, &parsed, &own_error) : fail(&own_error, STATUS_INVALID, "the problem is NULL");
    if (status != STATUS_OK)
        return context_status(status);
    return open_wish(context, &(const struct device_wish){.described = true, .problem = &parsed});
}

void uskor_close(struct uskor *context)
{
    if (!context)
        return;
    const uint64_t mode = floating_mode_begin();
    plan_cache_empty(&context->plans);
    job_finish(&context->job);
    buffer_release(&context->scratch);
    device_close(context->device);
    floating_mode_end(mode);
    free(context);
}

/* ---- questions ----------------------------------------------------------------------------------------------------
 */

const char *uskor_version(void)
{
    return USKOR_VERSION;
}

unsigned uskor_version_number(void)
{
    return USKOR_VERSION_NUMBER;
}

const char *uskor_message(const struct uskor *context)
{
    return context ? context->error.text : own_error.text;
}

const char *uskor_device(const struct uskor *context)
{
    return context ? context->device->id : "";
}

const char *uskor_rung(const struct uskor *context)
{
    return context && context->rung ? context->rung->name : "";
}

/* ---- threads ------------------------------------------------------------------------------------------------------
 */

void uskor_set_threads(unsigned threads)
{
    pool_set_threads(threads ? processors_within_quota(threads) : 0);
}

unsigned uskor_threads(void)
{
    return (unsigned)pool_threads();
}
