/* Inputs that show more than the problem's own, at the size that is timed. */
#ifndef USKOR_LAB_BENCH_EXACT_INPUTS_H
#define USKOR_LAB_BENCH_EXACT_INPUTS_H

#include "lab/bench/runner.h"

/* Verifies the runner's rung on the kernel's most telling inputs (dataset_exact_problem). Where no right rung rounds,
 * what is within the tolerance of other inputs (a term dropped, a last digit) shows; elsewhere NaNs, -0, values that
 * repeat, and lines of zeros. Brings new inputs of the problem's own kind
 * afterwards. STATUS_OK, too, where there are no such inputs, or the rung refuses them. */
enum status runner_verify_exactly(struct runner *runner, struct error *error);

#endif
