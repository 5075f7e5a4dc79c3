/* The arrays that a problem begins with. */
#pragma once

#include "kernels/kernel.h"

/* The values of the field `input`. */
enum sort_input {
    SORT_INPUT_UNIFORM,
    SORT_INPUT_SORTED,
    SORT_INPUT_REVERSED,
    SORT_INPUT_EQUAL,
    SORT_INPUT_FEW,
    SORT_INPUT_SPECIAL,
    SORT_INPUT_SAWTOOTH,
    SORT_INPUT_ORGAN,
    SORT_INPUT_KILLER,
    SORT_INPUT_TINY,
    SORT_INPUT_WIDE,
    SORT_INPUT_MOSTLY,
    SORT_INPUT_DISPLACED,
    SORT_INPUT_STRUCTURED
};

/* Names, NULL-terminated, and what they mean. */
extern const char *const sort_inputs[];
extern const char sort_inputs_help[];

/* kernel->fill. */
void sort_fill(const struct problem *problem, const struct array *arrays, struct host_arrays host);

/* kernel->structures: all orders of 5 elements or fewer, and all words of two values of 8 or fewer. */
uint32_t sort_structures(const struct problem *problem);
