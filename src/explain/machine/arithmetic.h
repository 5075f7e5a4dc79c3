/* What instructions of integers and of floats share. */
#pragma once

#include <string.h>

#include "explain/machine/warp.h"

typedef const struct machine_instruction *one;

static inline bool has(one in, unsigned modifier)
{
    return (in->modifiers & modifier) != 0;
}

static inline float as_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline bool machine_compare(unsigned comparison, bool is_less, bool is_equal, bool is_more)
{
    return comparison & (is_less ? COMPARE_LT : is_equal ? COMPARE_EQ : is_more ? COMPARE_GT : COMPARE_UNORDERED);
}

/* Joins the result with the instruction's predicate, as its modifiers say, and writes both predicates. */
void machine_finish_comparison(struct machine_warp *warp, one in, struct machine_predicate result);
