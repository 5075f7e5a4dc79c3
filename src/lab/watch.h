/* What the lab tells base/under_way.h of a rung. */
#ifndef USKOR_LAB_WATCH_H
#define USKOR_LAB_WATCH_H

#include "lab/contender.h"

/* The contender is in hand from now on: asked whether it can run, prepared, run, checked. */
void watch_begin(const struct contender *contender, const struct problem *problem);

#endif
