/* From a quantity to a place on paper, and the round figures that an axis names. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum scale_kind {
    SCALE_LINEAR,
    SCALE_DECADES, /* logarithmic; ticks at 1, 2, 5 × 10ⁿ, or 10ⁿ where those are too many */
    SCALE_BINARY,  /* logarithmic; ticks at powers of two: sizes */
};

struct scale {
    enum scale_kind kind;
    double low, high; /* of the quantity; above 0 when logarithmic */
    double from, to;  /* where they are */
};

#define SCALE_TICKS_MAX 24

/* The place of `value`; outside of low … high it is at the nearer end. */
double scale_at(const struct scale *scale, double value);

/* Round values inside low … high in ascending order, at most `most` (and SCALE_TICKS_MAX) of them; returns how many. */
size_t scale_ticks(const struct scale *scale, size_t most, double ticks[SCALE_TICKS_MAX]);
