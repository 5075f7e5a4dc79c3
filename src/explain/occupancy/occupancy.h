/* Occupancy: the warps of a kernel that are resident on one multiprocessor, and what limits them. It covers every
 * compute capability from 1.0 on, by the rules of NVIDIA's occupancy calculator (1.x, 2.x) and of cuda_occupancy.h
 * (from 3.0 on). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum occupancy_limit {
    OCCUPANCY_BY_WARPS,     /* no limit: all warps that a multiprocessor supports */
    OCCUPANCY_BY_GROUPS,    /* the maximum of groups per multiprocessor, with small groups */
    OCCUPANCY_BY_REGISTERS, /* … */
    OCCUPANCY_BY_SHARED,    /* the groups' local memory */
    OCCUPANCY_BY_SIZE,      /* the group's size: one more group exceeds the warps, and some warps stay unused */
    OCCUPANCY_IMPOSSIBLE,   /* no group fits */
    OCCUPANCY_LIMITS,
};

/* "warps", "groups", "registers", "shared", "size", "impossible". */
extern const char *const occupancy_limit_keys[OCCUPANCY_LIMITS];
/* For people, translated when shown. */
extern const char *const occupancy_limit_titles[OCCUPANCY_LIMITS];

struct occupancy_request {
    int compute;         /* 90 for 9.0 */
    size_t items;        /* per group */
    int registers;       /* per item */
    size_t shared_bytes; /* per group, static and dynamic */
    size_t groups;       /* of the launch; 0: as many as are resident at once */
    int units;           /* multiprocessors; 0: unknown, without waves */
};

struct explain_occupancy {
    int warps;                /* resident on one multiprocessor under full load */
    int warps_max;            /* the maximum of a multiprocessor */
    int groups;               /* … resident */
    int by[OCCUPANCY_LIMITS]; /* groups that each limit alone allows; INT_MAX: no limit */
    enum occupancy_limit limited_by;
    double waves;      /* the launch's groups over those resident on all multiprocessors; 0: unknown */
    double tail;       /* the busy part of the device in the last wave, 0 … 1; 0: unknown */
    double efficiency; /* mean groups per multiprocessor over the maximum of one; 0: unknown */
};

/* Computes the occupancy. False, and all zeros, for a compute capability that is not in the tables. */
bool occupancy_of(const struct occupancy_request *request, struct explain_occupancy *occupancy);

/* Finds group sizes, multiples of a warp, with more resident warps for the same registers and shared memory per item.
 * Writes at most `most` of them to `items`, the best first; returns their number. */
size_t occupancy_better_sizes(const struct occupancy_request *request, size_t *items, size_t most);
