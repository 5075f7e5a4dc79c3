/* How much longer it takes to fetch the arrays where the inputs are new: measured, by the lab's own loops and copies,
 * in the state in which a call on new inputs begins. */
#pragma once

#include "lab/verification/workspace.h"

#define FETCHES_MOST 12

/* Nanoseconds of each measurement: by the device's clock (on a CPU the host's), where the inputs are new and as a run
 * leaves them; and in CPU time, the difference. */
struct fetch_times {
    double elapsed_new[FETCHES_MOST], elapsed_left[FETCHES_MOST], used[FETCHES_MOST];
    size_t count;
};

/* Reads all inputs and writes all outputs and the scratch, twice: the first time finds them as they are now, the second
 * as a run leaves them. Adds both to `times`, at FETCHES_MOST in place of the oldest. On a CPU each thread
 * takes the part that another one read when the caches were warmed: no rung has it farther. Outputs and scratch have no
 * content of use afterwards; arrays that runs change must be restored. */
enum status fetch_measure(struct workspace *workspace, struct event *from, struct event *to, struct fetch_times *times,
                          struct error *error);

/* The difference of the least of either kind: a measurement that waited for a processor is a long one. 0 without any.
 */
double fetch_elapsed(const struct fetch_times *times);
/* The median of the differences; 0 without any. */
double fetch_used(const struct fetch_times *times);
