/* Plans: a problem of the library's, ready to run again. A context keeps the last ones, so that a repeated call
 * formats, parses and allocates nothing; a caller may keep others (uskor_plan_*). */
#pragma once

#include <stdint.h>
#include <string.h>

#include "library/job.h"
#include "uskor.h"

#define PLAN_VALUES PROBLEM_FIELDS_MAX
#define PLANS_KEPT 64

struct plan_key;
struct plan_arrays;

/* Where the kernel's arrays come from. */
enum plan_array { PLAN_FIRST, PLAN_SECOND, PLAN_TARGET, PLAN_UNUSED };

/* What a function of the library computes: one constant for each. */
struct operation {
    const char *kernel;
    size_t values; /* the first fields of the kernel */
    size_t array_count;
    enum plan_array arrays[KERNEL_ARRAYS_MAX]; /* in the kernel's order */
    /* Whether the arrays are right for the problem. */
    enum status (*check)(const struct plan_key *key, const struct plan_arrays *arrays, struct error *error);
    /* Bytes at the array's end that the caller need not have: behind the last row. NULL: none. */
    size_t (*tail)(const struct plan_key *key, enum plan_array array);
};

/* A problem: values in the order of the kernel's fields. Compared byte for byte, so all of it is set. */
struct plan_key {
    const struct operation *operation;
    union field_value values[PLAN_VALUES];
    uint64_t type;       /* enum element_type */
    uint64_t threads;    /* pool_threads(): scratch memory is for so many */
    uint64_t is_empty;   /* nothing is to be done */
    uint64_t keeps_rung; /* the rung, and with it the bits of sums, is the same on any number of threads */
};

/* Whole words without gaps: the same bits are the same key. */
static inline bool plan_key_is(const struct plan_key *key, const struct plan_key *other)
{
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c)
    return memcmp(key, other, sizeof *key) == 0;
}

struct uskor_plan {
    struct plan_key key;
    struct uskor *context;
    uint64_t used; /* when, by the cache's clock */
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
    void *scratch; /* of the caller's own; NULL: the context's */
};

/* The key of a problem; `values` has as many entries as the operation. */
struct plan_key plan_key(const struct operation *operation, enum element_type type, bool is_empty,
                         const union field_value *values);

/* Frees a plan and what it holds. NULL is allowed. */
void plan_free(struct uskor_plan *plan);

uint64_t plan_hash(const struct plan_key *key);

/* The plan's place; `count` where there is none. */
size_t plan_find(const struct plan_cache *cache, const struct plan_key *key, uint64_t hash);

/* A place for another plan: a new one, or that of the plan that was used longest ago, which is freed. */
size_t plan_make_room(struct plan_cache *cache);

void plan_cache_empty(struct plan_cache *cache);
