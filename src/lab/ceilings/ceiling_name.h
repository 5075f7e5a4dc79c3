/* Which ceiling holds for a rung of a bench. */
#ifndef USKOR_LAB_CEILINGS_CEILING_NAME_H
#define USKOR_LAB_CEILINGS_CEILING_NAME_H

#include "lab/bench/bench_record.h"

/* Writes down which probe the rung is held against: the slowest of those that hold for it. */
void ceiling_name(const struct bench *bench, const struct runner *runner);

#endif
