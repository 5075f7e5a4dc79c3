/* The library's opaque handle. */
#ifndef USKOR_LIBRARY_CONTEXT_H
#define USKOR_LIBRARY_CONTEXT_H

#include "backends/backend.h"
#include "base/status.h"
#include "library/job.h"
#include "uskor.h"

struct uskor {
    struct device *device;
    struct error error;
    struct job job; /* the last problem, ready to run again */
};

/* The library's word for a status; the message, if any, is in the context. */
enum uskor_status context_status(enum status status);

#endif
