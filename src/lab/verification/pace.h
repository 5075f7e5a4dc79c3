/* Two paces of one rung, compared. */
#ifndef USKOR_LAB_VERIFICATION_PACE_H
#define USKOR_LAB_VERIFICATION_PACE_H

#include <stdbool.h>
#include <stddef.h>

#define PACE_PAIRS_MOST 15

/* Samples in ns, `count` of each (at most PACE_PAIRS_MOST count): whether even the shortest with changes is longer than
 * half as much again as the usual one without, and `slack` ns. */
bool pace_differs_beyond(const double *usual, const double *changing, size_t count, double slack);

#endif
