/* The queues that a job's parts go through, with what each needs of its own: a queue runs one part at a time, so that
 * scratch memory and what a rung has prepared belong to the queue. */
#pragma once

#include "kernels/prepared_run.h"
#include "lab/bench/candidate.h"
#include "lab/transfers/chunk_layout.h"
#include "lab/transfers/overlap.h"

/* Parts are of at most this many different sizes: the first, the last few, and two between; tiles of a matrix are of
 * three heights and three widths. */
#define LANE_RUNS_MAX 12

/* One queue. */
struct job_stream {
    struct queue *queue;
    struct buffer scratch;
    size_t scratch_wanted;
    struct {
        struct prepared_run prepared;
        const struct laid_part *like; /* the part it was prepared for */
    } runs[LANE_RUNS_MAX];
    int run_count;
};

struct job_streams {
    struct device *device;
    const struct chunk_layout *layout;
    struct job_stream lanes[OVERLAP_QUEUES_MAX];
    unsigned count;
    unsigned used; /* by the last pass */
    bool by_phase; /* it had a queue for each phase */
    int *run_of;   /* which of a lane's runs does this part */
    bool timed;    /* its marks have timestamps */
    struct event *start[2];
    struct event **ends[2]; /* three for each part: in, compute, out; without times, and with them */
};

/* Queues, prepared runs and marks for the layout's parts on at most `count` queues (three or more for a pass by phase).
 * STATUS_UNAVAILABLE, with the reason, when the rung refuses a part, or there is one queue only. Destroyed by the
 * caller, on failure too. */
enum status job_streams_create(const struct chunk_layout *layout, unsigned count, const struct candidate *candidate,
                               const struct overrides *overrides, struct job_streams *lanes, struct error *error);
void job_streams_destroy(struct job_streams *lanes);

/* The work of a pass over the parts. */
enum stream_phases {
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
enum status job_streams_pass(struct job_streams *lanes, unsigned queues, unsigned phases, struct host_arrays from,
                             struct host_arrays to, void *joined, struct error *error);

/* All copies in, in one queue, and all copies out, in another, at the same time, with nothing between them. */
enum status job_streams_both_ways(struct job_streams *lanes, struct host_arrays from, struct host_arrays to,
                                  void *joined, struct error *error);

/* Three more passes of all phases, with timestamps, which cost a little time. The times of each part's phases
 * in the fastest are written to `parts`, which has room for every part. */
enum status job_streams_timeline(struct job_streams *lanes, unsigned queues, struct host_arrays from,
                                 struct host_arrays to, void *joined, struct timeline_part *parts, struct error *error);
