/* Whole numbers of tiles and groups: arithmetic of sizes that plans share. */
#pragma once

#include "base/size.h"

static inline size_t divide_up(size_t value, size_t unit)
{
    return value / unit + (value % unit != 0);
}

static inline size_t round_up(size_t value, size_t unit)
{
    return divide_up(value, unit) * unit;
}

static inline size_t most(size_t a, size_t b)
{
    return a > b ? a : b;
}
