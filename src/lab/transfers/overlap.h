/* A job cut into parts that go through several queues: copy in, compute, copy out, each part's own after each other,
 * different parts' at the same time. It is compared with its own ceiling: the longest of the whole job's three
 * phases, each measured alone, in the same rounds.
 *
 * Measurements have the kernel "overlap" and the problem "overlap:" with the job's canonical text; the rung is the
 * job's rung, its parameters end with "memory=pinned queues=4 parts=32" (queues=1 parts=1 is the serial form; "queues=3
 * by=phase": one for each phase). Phase end-to-end is from host memory to host memory by the host's clock; compute is
 * the same, as ratios are made of it. The ceilings (MEASURED_PROBE) are the rungs "copy-in", "compute" and "copy-out";
 * the rung "both-ways" is the copies of both directions at once without anything between them. */
#pragma once

#include "lab/bench/candidate.h"
#include "store/measurement.h"
#include "store/timeline.h"

/* Set to 1 for every rung that has a tunable of this name, unless the user sets it: a part's data pass the device's
 * caches once on their way. */
#define OVERLAP_TUNABLE "EVICT_FIRST"

/* Whether the rung is to be preferred on the device where nobody names one: it has that tunable. Copies need a GPU's
 * second-level cache, and the kernel is the shortest phase: 16384 × 16384 on an H200 took 27.4 ms with the fastest
 * transpose, and 23.4 with one that leaves the cache to the copies. */
bool overlap_prefers(const struct rung *rung, const struct device *device);

#define OVERLAP_QUEUES_MAX 8
#define OVERLAP_PARTS_MAX 1024
#define OVERLAP_FORMS_MAX (OVERLAP_QUEUES_MAX + 1)
#define OVERLAP_BY_PHASE 0u

struct overlap_options {
    size_t parts;                       /* 0: as suits the job's size */
    unsigned queues[OVERLAP_FORMS_MAX]; /* OVERLAP_BY_PHASE: a queue for each phase */
    size_t queues_count;
    enum memory_kind memory; /* the host's side: pageable, pinned or registered */
    double seconds;          /* on the clock for each figure; at least 3 samples whatever it is */
    void (*progress)(void *context, const char *what, double fraction); /* may be NULL */
    void *progress_context;
};

/* Pinned memory; 1, 2, 4 and 8 queues, and one for each phase. */
struct overlap_options overlap_defaults(void);

/* Runs the candidate's job in every form, verified before and after the timing, every element, and adds the
 * measurements to `list` and the timelines of the forms in parts to `timelines`, which the caller frees with
 * timeline_list_free. A job that cannot be divided, or cannot run, is one measurement with verdict SKIP and the reason.
 * STATUS_INTERRUPTED after Ctrl-C. */
enum status lab_overlap(const struct problem *problem, const struct candidate *candidate,
                        const struct overrides *overrides, const struct overlap_options *options,
                        struct measurement_list *list, struct timeline_list *timelines, struct error *error);
