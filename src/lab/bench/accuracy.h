/* Speed and accuracy side by side: each rung's time, and how far its answer is from the exact one, on one kind of
 * inputs.
 *
 * Measurements have the kernel "accuracy" and the problem "accuracy:" with the problem's canonical text. A rung of the
 * ladder is checked as in a bench; one of the view alone (kernels/accuracy.h) is not: its error is what is measured. */
#ifndef USKOR_LAB_BENCH_ACCURACY_H
#define USKOR_LAB_BENCH_ACCURACY_H

#include "lab/bench/bench.h"
#include "store/accuracy.h"

/* Measures the errors on the problem's own inputs, times all candidates in rounds, and measures the errors on inputs
 * that no rung has seen; the larger of the two is shown. Adds a measurement for each candidate to `list`, and its
 * errors to `errors` where it passed. Of the options only seconds, progress and finished are used. STATUS_INVALID when
 * the kernel has no such view; STATUS_INTERRUPTED after Ctrl-C. */
enum status lab_accuracy(const struct problem *problem, const struct candidate *candidates, size_t count,
                         const struct bench_options *options, struct measurement_list *list,
                         struct accuracy_list *errors, struct error *error);

#endif
