/* A measurement's place among what was timed beside it. Two whose 95 % intervals of the median meet are equally fast.
 */
#pragma once

#include "store/measurement.h"

/* Is the whole interval of `a` before that of `b`? */
bool surely_faster(const struct measurement *a, const struct measurement *b);

struct place {
    size_t place, of;               /* 1: nothing is surely faster */
    const struct measurement *best; /* the fastest of the others, by its median; NULL: there is none */
    double times;                   /* this one's time over that of `best`; 1 where they are equally fast */
};

/* Among those that passed on its problem and device, ceilings left out. */
struct place place_of(const struct measurement_list *list, const struct measurement *mine);
