/* The queues that a job's parts go through, with what each needs of its own: a queue runs one part at a time, so that
 * scratch memory and what a rung has prepared belong to the queue. */
#ifndef USKOR_LAB_LANES_H
#define USKOR_LAB_LANES_H

#include "lab/contender.h"
#include "lab/layout.h"
#include "lab/overlap.h"

/* Parts are of at most this many different sizes: the first, the last few, and two between; tiles of a matrix are of
 * three heights and three widths. */
#define LANE_RUNS_MAX 12

/* One queue. */
struct lane {
    struct queue *queue;
    struct buffer scratch;
    size_t scratch_wanted;
    struct {
        struct run run;
        const struct laid_part *like; /* the part it was prepared for */
        bool prepared;
    } runs[LANE_RUNS_MAX];
    int run_count;
};

struct lanes {
    struct device *device;
    const struct layout *layout;
    struct lane lanes[OVERLAP_QUEUES_MAX];
    unsigned count;
    unsigned used; /* by the last pass */
    bool by_phase; /* it had a queue for each phase */
    int *run_of;   /* which of a lane's runs does this part */
    bool timed;    /* its marks tell the time */
    struct mark *start[2];
    struct mark **ends[2]; /* three for each part: in, compute, out; without times, and with them */
};

/* Queues, prepared runs and marks for the layout's parts on at most `count` queues (three or more for a pass by phase).
 * STATUS_UNAVAILABLE, with the reason, when the rung refuses a part, or there is one queue only. Destroyed by the
 * caller, on failure too. */
enum status lanes_create(const struct layout *layout, unsigned count, const struct contender *contender,
                         const struct overrides *overrides, struct lanes *lanes, struct error *error);
void lanes_destroy(struct lanes *lanes);

/* What a pass over the parts does. */
enum lanes_phases {
    LANES_IN = 1 << 0,
    LANES_COMPUTE = 1 << 1,
    LANES_OUT = 1 << 2,
    LANES_ALL = LANES_IN | LANES_COMPUTE | LANES_OUT,
};

/* In place of a number of queues: three, one for each phase. */
#define LANES_BY_PHASE 0u

/* Enqueues those phases of every part, part by part, each part in the next of `queues` queues, and waits for all of
 * them. Inputs come from `from`, outputs go to `to` (or `joined`). Without LANES_COMPUTE copies out wait for nothing.
 */
enum status lanes_pass(struct lanes *lanes, unsigned queues, unsigned phases, struct host_arrays from,
                       struct host_arrays to, void *joined, struct error *error);

/* All copies in, in one queue, and all copies out, in another, at the same time, with nothing between them. */
enum status lanes_both_ways(struct lanes *lanes, struct host_arrays from, struct host_arrays to, void *joined,
                            struct error *error);

/* Three more passes of all phases, with marks that tell the time, which cost a little of it. When each part's phases
 * took place in the fastest is written to `parts`, which has room for every part. */
enum status lanes_timeline(struct lanes *lanes, unsigned queues, struct host_arrays from, struct host_arrays to,
                           void *joined, struct timeline_part *parts, struct error *error);

#endif
