/* Compiles what a bench is about to time. */
#ifndef USKOR_LAB_BENCH_COMPILE_AHEAD_H
#define USKOR_LAB_BENCH_COMPILE_AHEAD_H

#include "lab/bench/candidate.h"

/* Runs each candidate once on the problem, and with `probe_ceilings` the probes of its ceilings, so that the runtime's
 * cache on disk has their programs. Nothing is checked or timed: what fails here fails in the bench, with its reason.
 *
 * Returns: an error only when nothing could be run (no host memory). STATUS_INTERRUPTED after Ctrl-C. */
enum status lab_compile(const struct problem *problem, const struct candidate *candidates, size_t count,
                        bool probe_ceilings, struct error *error);

#endif
