/* Speed and accuracy side by side: each rung's time and its error against the exact result, on one kind of inputs.
 *
 * Measurements have the kernel "accuracy" and the problem "accuracy:" followed by the problem's canonical text. A rung
 * of the ladder is verified as in a bench. A rung that exists for this view alone (kernels/accuracy.h) is not verified:
 * its error is the result. */
#pragma once

#include "lab/bench/bench.h"
#include "store/accuracy.h"

/* Measures the errors on the problem's own inputs, times all candidates in rounds, then measures the errors on unseen
 * inputs; the larger error is shown. Adds one measurement per candidate to `list`, and the errors of each candidate
 * that passed to `errors`. Of the options only seconds, progress and finished are used.
 *
 * Returns: STATUS_INVALID when the kernel has no such view; STATUS_INTERRUPTED after Ctrl-C. */
enum status lab_accuracy(const struct problem *problem, const struct candidate *candidates, size_t count,
                         const struct bench_options *options, struct measurement_list *list,
                         struct accuracy_list *errors, struct error *error);
