/* The dot product on several devices, with the same bits on any number of them. The vectors are divided into leaves
 * whose length depends only on n. Each device sums its leaves separately; device 0 adds the leaves' sums, always in the
 * same order. The kernel's own ladder cannot be used: its order of summation depends on the length that it is given. */
#pragma once

#include "distributed/carrier.h"

#define LEAVES_MOST 8192

struct leaves {
    size_t n, leaf, count; /* elements; elements of every leaf but the last; leaves */
};

struct leaves leaves_of(const struct problem *problem);
/* The first leaf of device `index` of `count`. */
size_t leaves_begin(struct leaves leaves, size_t count, size_t index);

/* For rung->scratch: space for the sums of all leaves. */
size_t leaves_scratch(const struct problem *problem, size_t index, size_t count);

/* rung->way: how the sums reach device 0. */
enum leaves_way {
    LEAVES_CARRIED, /* by rung->carrier */
    LEAVES_STORED,  /* a kernel of each device stores them there, and that of the last to be ready adds them up */
};

/* For rung->prepare; leaves_finish is the rung's finish, leaves_enqueue its enqueue. */
enum status leaves_prepare(struct device_run *run, struct error *error);
void leaves_finish(struct device_run *run);
enum status leaves_enqueue(struct device_run *run, struct error *error);
