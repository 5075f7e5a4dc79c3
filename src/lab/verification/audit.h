/* Looking at timed runs: so that no rung can work when it is looked at, and less when it is timed. */
#ifndef USKOR_LAB_VERIFICATION_AUDIT_H
#define USKOR_LAB_VERIFICATION_AUDIT_H

#include "lab/bench/runner.h"

/* Runs as a sample does, on data changed as before a sample, the inputs changed once more between two runs of a batch,
 * and judges what is left; the rung cannot know that it is not timed. When `fresh`, on other inputs altogether, with
 * outputs and scratch poisoned. STATUS_FAILED: "in a timed run: …". */
enum status audit_run(struct runner *runner, bool cold, bool fresh, double *worst, struct error *error);

/* After a sample: judges what it left, or runs once more to be judged, or neither; which of them nobody can foresee. Of
 * a rung's time no more than a third goes into that. */
enum status audit_perhaps(struct runner *runner, bool cold, double *worst, struct error *error);

/* When all is timed: up to eight runs as a sample does, each judged; one where that takes long. */
enum status audit_last(struct runner *runner, bool cold, double *worst, struct error *error);

/* Where runs are timed in batches on the host: times batches in which every run finds other data beside batches in
 * which they follow each other. STATUS_FAILED when the first take much longer: a rung that does its work only where
 * something has changed. Nothing is compared where a batch holds fewer than four runs. */
enum status audit_pace(struct runner *runner, bool cold, struct error *error);

/* The same of samples, as many of each, in ns: whether even the shortest with changes is longer than half as much again
 * as the usual one without, and 3 us. */
bool pace_differs(const double *usual, const double *changing, size_t count);

/* Whether another full check keeps within that share. */
bool audit_is_affordable(const struct runner *runner);

#endif
