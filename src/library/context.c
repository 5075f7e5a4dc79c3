#include "library/context.h"

#include <stdlib.h>
#include <string.h>

#include "backends/cpu/floating_state.h"
#include "library/default_device.h"
#include "version.h"

/* The reason for this thread's last failed uskor_open, which has no context to store it in. */
static _Thread_local struct error open_error;

enum uskor_status context_status(enum status status)
{
    static const enum uskor_status words[] = {
        [STATUS_OK] = USKOR_OK,           [STATUS_FAILED] = USKOR_FAILED,
        [STATUS_INVALID] = USKOR_INVALID, [STATUS_UNAVAILABLE] = USKOR_UNAVAILABLE,
        [STATUS_SYSTEM] = USKOR_SYSTEM,   [STATUS_INTERRUPTED] = USKOR_SYSTEM,
    };
    return words[status];
}

const char *uskor_version(void)
{
    return USKOR_VERSION;
}

enum uskor_status uskor_open(struct uskor **context, const char *device)
{
    struct uskor *made = calloc(1, sizeof *made);
    open_error.text[0] = '\0';
    *context = NULL;
    if (!made)
        return context_status(fail(&open_error, STATUS_UNAVAILABLE, "out of memory"));
    struct floating_scope floating; /* a driver may set one of its own */
    floating_scope_begin(&floating);
    enum status status = default_device_open(device, &made->device, &open_error);
    floating_scope_end(&floating);
    if (status != STATUS_OK) {
        free(made);
        return context_status(status);
    }
    *context = made;
    return USKOR_OK;
}

void uskor_close(struct uskor *context)
{
    if (!context)
        return;
    struct floating_scope floating;
    floating_scope_begin(&floating);
    job_finish(&context->job);
    device_close(context->device);
    floating_scope_end(&floating);
    free(context);
}

const char *uskor_message(const struct uskor *context)
{
    return context ? context->error.text : open_error.text;
}

const char *uskor_device(const struct uskor *context)
{
    return context->device->id;
}

const char *uskor_rung(const struct uskor *context)
{
    const struct rung *rung = context->job.prepared.run.rung;
    return rung ? rung->name : "";
}
