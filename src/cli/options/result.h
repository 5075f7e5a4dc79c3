/* Where a command's result goes: standard output, or a file that appears when it is complete (files/output.h). */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"

/* A zeroed one is closed. */
struct result {
    FILE *stream;
    struct output *file; /* NULL: standard output */
    const char *name;    /* for messages */
};

/* `path` NULL: standard output. Errors are output_create's. */
enum status result_open(const char *path, bool force, struct result *result, struct error *error);

/* Ends it with what became of the work: a file gets its name, or goes away when `status` is not STATUS_OK. Returns
 * `status`, or STATUS_SYSTEM when all went well but the writing. */
enum status result_close(struct result *result, enum status status, struct error *error);

/* All of it at once, for what takes no time: opens, lets `write` write to the stream, closes. */
enum status result_write(const char *path, bool force, enum status (*write)(FILE *, void *context, struct error *),
                         void *context, struct error *error);

/* Why the stream could not be written, for people. The reason of a write that failed within the buffer is found by a
 * further one. */
const char *result_reason(FILE *stream);
