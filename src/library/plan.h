/* Plans: a problem of the library's, ready to run again. A context keeps the last ones, so that a repeated call
 * formats, parses and allocates nothing; a caller may keep others (uskor_plan_*). */
#ifndef USKOR_LIBRARY_PLAN_H
#define USKOR_LIBRARY_PLAN_H

#include <stdint.h>

#include "library/job.h"
#include "uskor.h"

#define PLAN_SIZES 4
#define PLANS_KEPT 64

/* What a problem of each operation is made of. A row of operations[] (plan.c) for each. */
enum operation { OPERATION_TRANSPOSE, OPERATION_RESIZE, OPERATION_SORT };

/* A problem: sizes in the order of the kernel's fields. Compared byte for byte, so all of it is set. */
struct plan_key {
    int64_t sizes[PLAN_SIZES];
    uint32_t operation, type; /* enum operation, enum element_type */
    uint64_t threads;         /* pool_threads(): scratch memory is for so many */
};

struct uskor_plan {
    struct plan_key key;
    struct uskor *context;
    uint64_t used; /* when, by the cache's clock */
    bool is_empty; /* nothing is to be done, and no job made */
    struct job job;
};

struct plan_cache {
    struct uskor_plan *plans[PLANS_KEPT];
    uint64_t hashes[PLANS_KEPT];
    size_t count, recent; /* the place of the last plan */
    uint64_t clock;
};

/* A call's arrays in host memory: NULL where the operation has none. */
struct plan_arrays {
    void *target;
    const void *first, *second;
};

/* The key of a problem; `sizes` has `count` entries. */
struct plan_key plan_key(enum operation operation, enum element_type type, const int64_t *sizes, size_t count);

/* In a context that is entered: runs the problem with its plan, which is made where the context has none. The arrays
 * have been checked. */
enum status plan_call(struct uskor *context, const struct plan_key *key, struct plan_arrays arrays,
                      struct error *error);

/* STATUS_INVALID where the caller has no place for a plan; otherwise *place is NULL. */
enum status plan_place(struct uskor_plan **place, struct error *error);

/* In a context that is entered: a plan for the caller. */
enum status plan_make(struct uskor *context, const struct plan_key *key, struct uskor_plan **plan, struct error *error);

void plan_cache_empty(struct plan_cache *cache);

/* Whether the arrays are right for the problem: each operation's own. */
enum status transpose_check(const struct plan_key *key, struct plan_arrays arrays, struct error *error);
enum status resize_check_arrays(const struct plan_key *key, struct plan_arrays arrays, struct error *error);
enum status sort_check_array(const struct plan_key *key, struct plan_arrays arrays, struct error *error);

#endif
