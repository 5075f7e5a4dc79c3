/* What a wrong answer of a user's kernel is probably due to. */
#ifndef USKOR_CLI_COMMANDS_TRY_GUESS_H
#define USKOR_CLI_COMMANDS_TRY_GUESS_H

#include "kernels/kernel.h"
#include "store/measurement.h"

/* A kernel that wrote past an array, and was started with more items than that has elements, lacks a test of its
 * bounds: adds that to the measurement's reason. */
void try_guess(const struct rung *rung, const struct problem *problem, struct measurement *wrong);

#endif
