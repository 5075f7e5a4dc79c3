/* Verifies and times rungs that are to be compared. They run interleaved in rounds, beside the ceiling's probes, until
 * each median is precise enough or its time is spent. Every sample is stored. */
#pragma once

#include "lab/bench/candidate.h"
#include "store/measurement.h"

struct bench_options {
    double seconds;   /* timed seconds per rung */
    double precision; /* stop earlier when the median's 95 % interval is within ± this fraction of the median */
    bool cold;
    bool end_to_end;                  /* also time host memory to host memory, on devices with memory of their own */
    bool probe_ceilings;              /* probe the ceiling beside the rungs */
    bool senses;                      /* leave samples out that are taken while heat slows the device down */
    bool counters;                    /* count energy, clocks, cycles and instructions of the timed runs */
    const struct rung *neighbours_of; /* NULL; or: time all roughly, then only those that tell this rung's place */
    bool is_rough; /* times only, to see which rungs are near each other: nothing is verified, so no figure of it may be
                    * shown or stored */
    const struct measurement_list *ceilings; /* stored ceilings (lab/ceilings/stored_ceiling.h); a ceiling with a valid
                                                stored one is not probed in the rounds. NULL: all are probed */
    unsigned samples_least;                  /* of a rung, however long it takes; 0: some, as far as its time allows */
    unsigned rounds_most; /* of a rung; 0: as many as its time allows. A visit to a short one is mostly overhead */
    unsigned repeat;      /* 0; or, for a publication's protocol, the number of end-to-end samples (no ceiling then) */
    /* Called between steps with the name of the step and the fraction of this problem that is done (0 … 1). May be
     * NULL. */
    void (*progress)(void *context, const char *what, double fraction);
    void *progress_context;
    /* Called for each measurement once its verdict and its last sample are final. Rungs that are timed side by side
     * become final together. Until then each one is also passed provisionally: every two seconds, and when its samples
     * are complete. A provisional measurement has a warning that says so; the final call for it follows. A measurement
     * that an interruption left untimed is not passed. The callback may change the measurement's `id` and `run`,
     * nothing else. May be NULL. */
    void (*finished)(void *context, struct measurement *measurement);
    void *finished_context;
};

struct bench_options bench_defaults(void);

/* Verifies and times the candidates on one problem. Adds a measurement for each candidate and for each device's ceiling
 * to `list`. A rung that cannot run or is wrong becomes a measurement too, with its verdict.
 *
 * Returns: STATUS_OK, unless the bench itself could not run (no host memory, a failed self-test of the comparator).
 * STATUS_INTERRUPTED after Ctrl-C: the list then has all that was measured before it. */
enum status lab_bench(const struct problem *problem, const struct candidate *candidates, size_t count,
                      const struct bench_options *options, struct measurement_list *list, struct error *error);
