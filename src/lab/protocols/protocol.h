/* A publication's protocol on this machine: its runs, at its sizes, with its parameters and its number of repeats, on
 * every device that they are for. Rungs that are compared run interleaved, as in any bench. */
#pragma once

#include "lab/bench/bench.h"
#include "publications/publication.h"

struct protocol_options {
    struct bench_options bench; /* time, precision, progress; repeat 0: the publication's own */
    double most_seconds;        /* leave out each measurement that is estimated to take longer; 0: none */
    const char *const *rungs;   /* of the publication's, these only; NULL: all */
    size_t rung_count;
};

/* One measurement to make: a run at a size with one of its choices, on a device. */
struct protocol_step {
    const struct publication_run *run;
    int64_t size;
    struct problem problem;
    struct candidate candidate;
    double seconds; /* as estimated before anything ran */
};

struct protocol {
    const struct publication *publication;
    struct protocol_step *steps; /* the small problems first */
    size_t count;
    double seconds; /* of all that is not left out */
};

/* Plans what to measure on these devices. `past` (may be NULL) are measurements of this machine, from which the time is
 * estimated; without them it is from the publication's own figures, and rough. STATUS_INVALID: a rung that the
 * publication does not have; STATUS_UNAVAILABLE: none of its runs is for these devices. Borrows the publication and the
 * devices. The caller releases the plan with protocol_free; on failure there is nothing to release. */
enum status protocol_plan(const struct publication *publication, struct device *const *devices, size_t device_count,
                          const struct protocol_options *options, const struct measurement_list *past,
                          struct protocol *protocol, struct error *error);
void protocol_free(struct protocol *protocol);

/* Measures, adding to `list`; what is left out is added as a SKIP with its reason. Statuses as of lab_bench. */
enum status protocol_run(const struct protocol *protocol, const struct protocol_options *options,
                         const struct measurement_list *past, struct measurement_list *list, struct error *error);
