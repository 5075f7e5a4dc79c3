/* Inputs that have one right answer, at the size that is timed. */
#ifndef USKOR_LAB_BENCH_EXACT_INPUTS_H
#define USKOR_LAB_BENCH_EXACT_INPUTS_H

#include "lab/bench/runner.h"

/* Verifies the runner's rung on inputs on which no right rung rounds, where rung and kernel have such: what is within
 * the tolerance of other inputs (a term dropped, a last digit) shows. Brings new inputs of the problem's own kind
 * afterwards. STATUS_OK, too, where there are no such inputs, or the rung refuses them. */
enum status runner_verify_exactly(struct runner *runner, struct error *error);

#endif
