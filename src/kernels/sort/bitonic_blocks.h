/* The bitonic network in blocks: the host half of the rungs that keep a block of keys in local memory.
 *
 * Their programs have three kernels: sort_blocks (k up to a block), exchange (some steps with j beyond a block) and
 * merge_blocks (the steps of one k with j within a block). */
#pragma once

#include "kernels/sort/device_sort.h"

struct bitonic_blocks {
    size_t per_item;      /* keys of a block per item of the group */
    size_t step_per_item; /* keys that an item of `exchange` works on */
    size_t steps;         /* most steps that one launch of `exchange` does; above 1 it takes their number */
};

/* Keys are sorted where the elements are to be when their number is a whole network, in scratch memory otherwise. */
size_t bitonic_blocks_scratch(const struct bitonic_blocks *blocks, const struct problem *problem, size_t group);
enum status bitonic_blocks_enqueue(const struct bitonic_blocks *blocks, struct run *run, struct error *error);
