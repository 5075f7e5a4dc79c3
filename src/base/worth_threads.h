/* Loops that fill and check arrays. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Whether a loop over `elements`, some nanoseconds each, is worth OpenMP's threads. Most edge cases are smaller: to
 * wake the threads takes longer than the loop. */
static inline bool is_worth_threads(size_t elements)
{
    return elements >= (size_t)1 << 15;
}
