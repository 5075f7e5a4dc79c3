/* Compiles what a bench is about to time. */
#pragma once

#include "lab/bench/candidate.h"

struct compile_ahead {
    bool probe_ceilings;
    /* Called when the ladder's rungs and the probes have run, and then after each library. */
    void (*stage_done)(void *context);
    void *context;
};

/* Runs each candidate of one device once on the problem, and with `probe_ceilings` the probes of its ceilings, so that
 * the runtime's cache on disk has their programs: the ladder's rungs, the probes, then the libraries, as one may take
 * longer than all else. One process does all of it: a runtime reads its own library before its first compilation, which
 * takes PoCL as long as a rung does. Nothing is checked or timed: what fails here fails in the bench, with its reason.
 *
 * Returns: an error only when nothing could be run (no host memory). STATUS_INTERRUPTED after Ctrl-C. */
enum status lab_compile(const struct problem *problem, const struct candidate *candidates, size_t count,
                        const struct compile_ahead *how, struct error *error);
