/* How a multiprocessor gives registers and local memory to groups, by compute capability: what NVIDIA's occupancy
 * calculator and the header cuda_occupancy.h compute with. Limits that the programming guides list are in
 * capabilities.def. */
#pragma once

#include <stdbool.h>

#include "architectures/architectures.h"

struct allocation {
    int from, to;           /* compute capabilities, 90 for 9.0, 100 for 10.0; both included */
    bool by_group;          /* registers are allocated for a whole group (1.x), not for each warp */
    int register_unit;      /* registers, allocated in multiples of it: for a group, or for a warp */
    int warp_unit;          /* warps: a group's are rounded up to it (1.x); parts of a multiprocessor that share its
                               registers (later) */
    int registers_of_item;  /* most registers of one item */
    int registers_of_group; /* most registers of one group, in units of 1024 */
    int local_unit;         /* bytes: local memory of a group is rounded up to it */
    int local_reserved;     /* bytes that the system has of each group's local memory */
    enum source_id source;
    enum figure_check check;
};

/* 90 of "9.0", 121 of "12.1"; 0 when it is not a version. */
int compute_of(const char *version);

/* NULL when no row has it. */
const struct allocation *allocation_of(int compute);
