/* Arrays between pages that nobody may touch: a read or write out of bounds faults where it happens. Only a process
 * whose death somebody waits for places arrays so (guard_pages_allow); its signal handler asks here what the fault's
 * address means. */
#ifndef USKOR_LAB_VERIFICATION_GUARD_PAGES_H
#define USKOR_LAB_VERIFICATION_GUARD_PAGES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* Whether this process may die of a fault: workspaces on the host's memory then lie between guard pages. Off at first;
 * a child process that runs a rung for its parent sets it. Not to be changed while a workspace lives. */
void guard_pages_allow(bool allowed);
bool guard_pages_allowed(void);

/* Which end of the payload touches its guard page. The other end has a canary before its own guard page. */
enum guard_side {
    GUARD_START, /* the payload begins at a page */
    GUARD_END,   /* the payload ends where a page begins: its start has no more than its elements' alignment */
};

/* A payload in a mapping of its own; a zeroed one is none. */
struct guarded_memory {
    unsigned char *mapping; /* guard page, inside, guard page */
    size_t mapped;
    unsigned char *inside; /* canary and payload, or payload and canary */
    size_t inside_bytes;
    unsigned char *payload;
    size_t bytes;
    int entry; /* in the table of guard pages; -1: the table was full, and a fault there has no name */
};

/* Maps `bytes` (0 is fine) with at least `canary` bytes, rounded up to pages, at the end that `side` does not name.
 * `array` is what a fault calls it: cut to 31 characters. STATUS_UNAVAILABLE when the system maps no more. */
enum status guarded_memory_create(const char *array, size_t bytes, size_t canary, enum guard_side side,
                                  struct guarded_memory *memory, struct error *error);
void guarded_memory_destroy(struct guarded_memory *memory);

/* ---- what a signal handler may call --------------------------------------------------------------------------- */

/* Writes "read past the end of array 'x'" (wrote; before the start) and returns true when `address` lies in a guard
 * page or in what stands between it and the payload. Safe in a signal handler of any thread. */
bool guard_pages_describe(const void *address, bool wrote, char *text, size_t size);

/* Whether the access that faulted was a write, by what the handler of SIGSEGV or SIGBUS was given as its third
 * argument. False where the processor does not report it. */
bool guard_pages_wrote(const void *context);

#endif
