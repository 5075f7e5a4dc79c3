/* The library's opaque handle. */
#pragma once

#include <stdatomic.h>

#include "backends/backend.h"
#include "base/status.h"
#include "library/default_device.h"
#include "library/job.h"
#include "library/plan.h"
#include "uskor.h"

struct uskor {
    atomic_bool is_taken; /* by a thread that is in a call */
    struct device *device;
    job_wrap *wrap; /* of the caller's device memory; NULL: the queue is not the caller's */
    struct error error;
    uint64_t mode;                  /* the calling thread's floating-point mode */
    const struct rung_times *times; /* for choose_rung; NULL in the library */
    struct plan_cache plans;
    struct buffer scratch;   /* of the cpu: as much as any plan needs, as one runs at a time */
    const struct job *last;  /* of the last call; NULL: none yet */
    const struct rung *rung; /* of the last call */
    uint64_t unused;         /* for an array that no served rung writes */
    struct job job;          /* the program's own, by its text */
};

/* The library's word for a status; the message, if any, is in the context. */
enum uskor_status context_status(enum status status);

/* Takes the context for a call: its message is empty, and the thread has the default floating-point mode. USKOR_INVALID
 * where there is none, USKOR_BUSY where another thread has it: then the thread's own message says so. */
enum uskor_status context_enter(struct uskor *context);

/* Gives it back; returns the library's word for `status`. */
enum uskor_status context_leave(struct uskor *context, enum status status);

/* A context on the caller's own queue: `adopt` and `wrap` are a backend's (backends/adopt.h). */
typedef enum status context_adopter(void *queue, struct device **device, struct error *error);
enum uskor_status context_adopt(struct uskor **context, context_adopter *adopt, job_wrap *wrap, void *queue);

/* As uskor_open, on the device that is asked for (library/default_device.h). */
enum uskor_status context_open(struct uskor **context, const struct device_wish *wish);
