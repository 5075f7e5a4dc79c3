/* uskor try: races that a device of few cores hides. A kernel for devices runs as C on the host, item by item, in two
 * orders of its groups and warps, in a process of its own. */
#pragma once

#include "kernels/kernel.h"
#include "store/measurement.h"

struct try_job;

/* A problem that the file was right on: one of the best few is kept for the search. */
void try_races_offer(struct try_job *job, const struct problem *problem, const struct measurement *measurement);

/* Begins the search beside the verification of larger problems. A file in C: nothing. */
void try_races_start(struct try_job *job);

/* Waits for it. True: there is a race, and `measurement`, that of the problem, says so. */
bool try_races_found(struct try_job *job, struct measurement *measurement);

/* Whether races do not show: the device has one core, and the search was impossible. */
bool try_races_hide(const struct try_job *job, const struct device *device);

/* Whether a kernel whose groups a processor runs was not searched: its source has words that the trace lacks. */
bool try_races_unsearched(const struct try_job *job, const struct device *device);

/* Deletes its output. */
void try_races_end(struct try_job *job);

/* The process of the search (--races): prints what it finds. Returns the exit code. */
int try_races_search(struct try_job *job);
