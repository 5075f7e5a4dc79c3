/* What a module runs when it is loaded: its constructors, and functions that choose others for the processor (ifunc).
 * A process that only reads the module's code, and may start programs, loads it without them. */
#ifndef USKOR_JUDGE_USER_START_H
#define USKOR_JUDGE_USER_START_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Where a module's own beginning is: addresses within the module, 0 where there is none. */
struct user_start {
    uint64_t function, functions; /* of one, and of a table of others */
    size_t count;                 /* in the table */
};

/* Changes the module's file so that the loader runs none of its functions at its beginning and its end. `start` says
 * what it would have run.
 *
 * Returns: STATUS_UNAVAILABLE where the loader must run a function to load it, and for a file that is no module. */
enum status user_start_take(const char *path, struct user_start *start, struct error *error);

/* Runs them. `symbol` lies in the module, which is loaded. */
void user_start_run(const struct user_start *start, const void *symbol);

#endif
