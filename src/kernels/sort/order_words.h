/* The order of keys of 32 and 64 bits, by words in which a key, or half of one, and its place fit. */
#pragma once

#include <stdbool.h>

#include "kernels/sort/sort.h"

/* Whether the problem's order is found so. */
bool order_words_take(const struct problem *problem);

/* Bytes of scratch memory that it needs. */
size_t order_words_scratch(const struct problem *problem);

/* Writes the order to the run's second array. */
void order_words(const struct run *run, const struct sorting *sorting);
