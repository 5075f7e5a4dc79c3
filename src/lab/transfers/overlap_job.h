/* A job that is overlapped: its memory on the host, and how what it left is judged. For lab/transfers/overlap.c alone.
 */
#pragma once

#include "lab/transfers/chunk_layout.h"
#include "lab/transfers/streams.h"
#include "lab/verification/dataset.h"

#define OVERLAP_KINDS_MAX (5 + OVERLAP_FORMS_MAX)

/* The forms that are timed: a phase of the whole job alone, both copies at once, or the job in one part or in many. */
struct form {
    const char *ceiling; /* "copy-in", …; NULL: the job itself */
    bool both_ways, in_parts;
    unsigned phases, queues;
    size_t measurement, timeline;
    double spent;
    bool active;
};

struct job {
    const struct problem *problem;
    const struct candidate *candidate;
    const struct overlap_options *options;
    struct measurement_list *list;
    struct timeline_list *timelines;
    struct dataset data;
    struct host_memory pinned_in[KERNEL_ARRAYS_MAX], pinned_out[KERNEL_ARRAYS_MAX], pinned_joined;
    struct host_arrays from, to;
    void *joined, *plain_joined;
    struct chunk_layout whole, cut;
    struct job_streams whole_lanes, cut_lanes;
    struct form forms[OVERLAP_KINDS_MAX];
    int form_count;
};

struct measurement *job_measured(const struct job *job, const struct form *form);

/* The host's side of the job in memory of the kind asked for, with its inputs in it. Given back by job_give_back, with
 * all else of the job, on failure too. */
enum status job_take_memory(struct job *job, struct error *error);
void job_give_back(struct job *job);

/* Brings inputs that were filled anew to where the job takes them from. */
void job_bring_inputs(struct job *job);

/* Before a timed run: pieces of the inputs change and pieces of the outputs are poisoned, at random places. */
enum status job_refresh(struct job *job, struct error *error);

/* Before a run that is verified: poisons the outputs and all memory on the device. */
enum status job_spoil(struct job *job, struct chunk_layout *layout, struct error *error);

/* Judges what the form's last run left; what was found is written to its measurement. */
enum status job_judge(struct job *job, const struct form *form, struct error *error);
