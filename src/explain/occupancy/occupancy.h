/* Occupancy (row E4): how many warps of a kernel one multiprocessor holds at once, and what limits them; for every
 * compute capability from 1.0 on, by the rules of NVIDIA's occupancy calculator (1.x, 2.x) and of cuda_occupancy.h
 * (from 3.0 on). */
#ifndef USKOR_EXPLAIN_OCCUPANCY_OCCUPANCY_H
#define USKOR_EXPLAIN_OCCUPANCY_OCCUPANCY_H

#include <stdbool.h>
#include <stddef.h>

enum occupancy_limit {
    OCCUPANCY_BY_WARPS,     /* nothing: as many warps as a multiprocessor takes */
    OCCUPANCY_BY_GROUPS,    /* as many groups as a multiprocessor takes, and they are small */
    OCCUPANCY_BY_REGISTERS, /* … */
    OCCUPANCY_BY_SHARED,    /* local memory of the groups */
    OCCUPANCY_BY_SIZE,      /* of the group: one more would be too many warps, and some have no use */
    OCCUPANCY_IMPOSSIBLE,   /* no group fits */
    OCCUPANCY_LIMITS,
};

/* "warps", "groups", "registers", "shared", "size", "impossible". */
extern const char *const occupancy_limit_keys[OCCUPANCY_LIMITS];
/* For people, translated when shown. */
extern const char *const occupancy_limit_titles[OCCUPANCY_LIMITS];

struct occupancy_request {
    int compute;         /* 90 for 9.0 */
    size_t items;        /* of a group */
    int registers;       /* of an item */
    size_t shared_bytes; /* of a group, static and dynamic */
    size_t groups;       /* of the launch; 0: as many as there is room for */
    int units;           /* multiprocessors; 0: unknown, and then there are no waves */
};

struct explain_occupancy {
    int warps;                /* resident on one multiprocessor, when there is enough to do */
    int warps_max;            /* that one takes */
    int groups;               /* … resident */
    int by[OCCUPANCY_LIMITS]; /* groups that each limit alone would let in; INT_MAX: it does not limit */
    enum occupancy_limit limited_by;
    double waves;      /* the launch's groups over those that all multiprocessors hold; 0: unknown */
    double tail;       /* of the last wave: the part of the device that works, 0 … 1; 0: unknown */
    double efficiency; /* mean groups of a multiprocessor over the most that one has; 0: unknown */
};

/* False, and all zeros, for a compute capability that is not in the tables. */
bool occupancy_of(const struct occupancy_request *request, struct explain_occupancy *occupancy);

/* Numbers of items in a group, multiples of a warp, that keep more warps resident with the same registers of an item
 * and as much shared memory for each item: best first, at most `most`. Returns how many. */
size_t occupancy_better_sizes(const struct occupancy_request *request, size_t *items, size_t most);

#endif
