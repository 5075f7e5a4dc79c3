/* An array on a device between two canaries, or on the host between guard pages: what a rung does beyond it shows. */
#ifndef USKOR_LAB_VERIFICATION_CANARIES_H
#define USKOR_LAB_VERIFICATION_CANARIES_H

#include "backends/backend.h"
#include "lab/verification/guard_pages.h"

/* A zeroed one is none. */
struct guarded {
    struct buffer whole, payload;
    struct guarded_memory memory; /* of one between guard pages */
};

/* A payload between canaries of BUFFER_ALIGNMENT bytes, aligned to that; canaries are written. Released on failure too.
 */
enum status guarded_allocate(struct device *device, enum memory_kind kind, size_t bytes, struct guarded *guarded,
                             struct error *error);
/* The same on the cpu device between guard pages: `side` touches its own, the other has a canary before it. */
enum status guarded_allocate_paged(struct device *device, const char *array, size_t bytes, enum guard_side side,
                                   struct guarded *guarded, struct error *error);
void guarded_release(struct guarded *guarded);

/* Writes both canaries anew. */
enum status guarded_repair(const struct guarded *guarded, struct error *error);
/* STATUS_FAILED ("wrote past the end of array 'x'") when one was changed. */
enum status guarded_check(const struct guarded *guarded, const char *array, struct error *error);

#endif
