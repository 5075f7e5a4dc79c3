/* An array between two canaries on a device, or between guard pages on the host, so that writes outside it are
 * detected. */
#pragma once

#include "backends/backend.h"
#include "lab/verification/guard_pages.h"

/* A zeroed one is empty. */
struct guarded {
    struct buffer whole, payload;
    struct guarded_memory memory; /* of an array between guard pages */
    size_t canary;                /* where its canaries begin among the bytes of all */
};

/* Whether arrays on devices have canaries, and local memory poison. With USKOR_CANARIES=none they have not: a simulator
 * or a sanitizer sees itself what is read beyond an array or before it was written, but not in a canary. */
bool canaries_wanted(void);

/* Allocates a payload between canaries of BUFFER_ALIGNMENT bytes, aligned to that, and writes the canaries. The caller
 * calls guarded_release, on failure too. */
enum status guarded_allocate(struct device *device, enum memory_kind kind, size_t bytes, struct guarded *guarded,
                             struct error *error);
/* The same on the CPU device, between guard pages: the payload touches the guard page at `side`; at its other end there
 * is a canary. */
enum status guarded_allocate_paged(struct device *device, const char *array, size_t bytes, enum guard_side side,
                                   struct guarded *guarded, struct error *error);
void guarded_release(struct guarded *guarded);

/* Rewrites both canaries. */
enum status guarded_repair(const struct guarded *guarded, struct error *error);
/* STATUS_FAILED ("wrote past the end of array 'x'") when a canary was changed. */
enum status guarded_check(const struct guarded *guarded, const char *array, struct error *error);
