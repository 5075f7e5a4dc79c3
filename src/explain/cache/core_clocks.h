/* Clocks of one core for the instructions that it executed, with all data in the first cache: of each basic block the
 * unit that needs longest, and of a loop the chain of results that wait for each other, where that takes longer (the
 * in-core part of the ECM model: Hofmann and others, 2020; chains as in OSACA, Laukemann and others, 2019). */
#ifndef USKOR_EXPLAIN_CACHE_CORE_CLOCKS_H
#define USKOR_EXPLAIN_CACHE_CORE_CLOCKS_H

#include "explain/cache/code_copy.h"

/* `executed`: of each block of the copy. */
double core_clocks(const struct code_copy *copy, const uint64_t *executed);

/* Clocks of one round of a loop of these instructions, by its chains alone. */
double core_chain(const struct copied_instruction *instructions, const bool *is_executed, size_t count);

#endif
