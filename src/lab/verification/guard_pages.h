/* Arrays between inaccessible pages: an access out of bounds faults at once. Only a process whose death its parent
 * handles uses them (guard_pages_allow). Its signal handler asks here what the fault's address means. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* Whether a fault may end this process; workspaces in host memory then lie between guard pages. Off by default. A child
 * process that runs a rung for its parent sets it. Must not change while a workspace exists. */
void guard_pages_allow(bool allowed);
bool guard_pages_allowed(void);

/* Which end of the payload touches its guard page. The other end has a canary before its own guard page. */
enum guard_side {
    GUARD_START, /* the payload begins at a page boundary */
    GUARD_END,   /* the payload ends at a page boundary; its start is only aligned for its elements */
};

/* A payload in its own mapping; a zeroed one is empty. */
struct guarded_memory {
    unsigned char *mapping; /* guard page, inside, guard page */
    size_t mapped;
    unsigned char *inside; /* canary and payload, or payload and canary */
    size_t inside_bytes;
    unsigned char *payload;
    size_t bytes;
    int entry; /* in the table of guard pages; -1: the table was full, and a fault there is reported without a name */
};

/* Maps `bytes` (may be 0), with at least `canary` bytes, rounded up to pages, at the end opposite to `side`. Reports
 * call it `array`, cut to 31 characters. STATUS_UNAVAILABLE when the system maps no more memory; *memory is then empty.
 */
enum status guarded_memory_create(const char *array, size_t bytes, size_t canary, enum guard_side side,
                                  struct guarded_memory *memory, struct error *error);
void guarded_memory_destroy(struct guarded_memory *memory);

/* While `sealed`, a write to the payload or its canary faults, too. Reports call it a write to an input. */
void guarded_memory_seal(struct guarded_memory *memory, bool sealed);

/* ---- for signal handlers ------------------------------------------------------------------------------------ */

/* Writes "read past the end of array 'x'" (or "wrote", or "before the start") and returns true when `address` lies in a
 * guard page or between it and the payload; "wrote to its input 'x'" where it lies in a sealed payload. Safe in a
 * signal handler of any thread. */
bool guard_pages_describe(const void *address, bool wrote, char *text, size_t size);

/* Whether the faulting access was a write. `context` is the third argument of the handler of SIGSEGV or SIGBUS. False
 * where the processor does not report it. */
bool guard_pages_wrote(const void *context);
