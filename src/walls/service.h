/* Programs for a process inside the walls, which starts none itself: it asks the process that forked it.
 *
 * That one has nothing of the stranger's in its memory. It takes only the requests of a table, checks each one's size,
 * and runs programs in the stage WALLS_COMPILE. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

/* Serves one request: writes the answer to the stream. The data are terminated by a 0 behind them, and are a
 * stranger's. */
struct service {
    const char *name;
    size_t most; /* bytes of a request */
    void (*serve)(const char *data, size_t bytes, FILE *answer);
};

#define SERVICES_MOST 8

/* Forks. The new process does `inside` and ends with its exit code; this one serves it until then. *code: that exit
 * code. `services` has at most SERVICES_MOST rows, NULL ends it. It is ended when it has taken most of the memory, or
 * filled the folder, which may be NULL. It has no terminal and no input: what it writes to stdout and stderr is shown
 * by this one when `inside` has returned, without control characters but changes of colour.
 *
 * Returns: STATUS_SYSTEM when the system starts no process; STATUS_FAILED when it ended otherwise than by returning
 * from `inside`: a stranger's code may end it. */
enum status service_run(const struct service *services, const char *folder, int (*inside)(void *context), void *context,
                        int *code, struct error *error);

/* In the new process: the answer to a request, which the caller frees, with a 0 behind it; NULL when there is none. Any
 * number of threads may ask at once. */
char *service_ask(const char *name, const void *data, size_t bytes, size_t *answer_bytes);

/* Whether this process has one to ask. */
bool service_is_there(void);
