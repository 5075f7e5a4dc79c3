/* A job cut into parts that go through several queues: copy in, compute, copy out, each part's own after each other,
 * different parts' at the same time (row X3). It is held against its own limit: the longest of the whole job's three
 * phases, each measured alone, in the same rounds.
 *
 * Measurements have the kernel "overlap" and the problem "overlap:" with the job's canonical text; the rung is the
 * job's rung, its parameters end with "memory=pinned queues=4 parts=32" (queues=1 parts=1 is the serial form; "queues=3
 * by=phase": one for each phase). Phase whole is from host memory to host memory by the host's clock; compute is the
 * same, being what ratios are made of. The limits (MEASURED_LIMIT) are the rungs "copy-in", "compute" and "copy-out";
 * the rung "both-ways" is the copies of both directions at once without anything between them. */
#ifndef USKOR_LAB_OVERLAP_H
#define USKOR_LAB_OVERLAP_H

#include "lab/contender.h"
#include "store/measurement.h"

#define OVERLAP_QUEUES_MAX 8
#define OVERLAP_PARTS_MAX 1024
#define OVERLAP_FORMS_MAX (OVERLAP_QUEUES_MAX + 1)
#define OVERLAP_BY_PHASE 0u

/* When one part's three phases began and ended, in nanoseconds after the job's beginning, by the device's clock. The
 * device tells when a phase ended. It began when its queue had come to it and the last phase of the same kind was over:
 * that copies of one direction, and kernels, follow each other is taken for granted. */
struct timeline_part {
    unsigned queue;
    double in[2], compute[2], out[2];
};

/* Of one form: of the fastest of three runs after its samples, whose marks tell the time and cost a little of it. */
struct timeline {
    size_t measurement; /* its index in the list */
    unsigned queues;
    bool by_phase; /* three queues: copies in, computing, copies out; a part's `queue` is 0 */
    size_t count;
    struct timeline_part *parts;
};

struct timeline_list {
    struct timeline *items;
    size_t count;
};

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

/* Runs the contender's job in every form, verified before and after the timing, every element, and adds the
 * measurements to `list` and the timelines of the forms in parts to `timelines`, which the caller frees with
 * timeline_list_free. What cannot be cut, or cannot run, is one measurement with verdict SKIP and the reason.
 * STATUS_INTERRUPTED after Ctrl-C. */
enum status lab_overlap(const struct problem *problem, const struct contender *contender,
                        const struct overrides *overrides, const struct overlap_options *options,
                        struct measurement_list *list, struct timeline_list *timelines, struct error *error);
void timeline_list_free(struct timeline_list *timelines);

/* {"queues": 4, "by_phase": false, "unit": "ns", "parts": [{"queue": 0, "in": [0, 5], "compute": [5, 6], "out": [6,
 * 9]}, …]}, for the store's attachment "timeline". The caller frees it; NULL when memory is out. */
char *timeline_json(const struct timeline *timeline);

#endif
