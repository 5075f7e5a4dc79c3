/* The ceiling of each rung of a bench. */
#ifndef USKOR_LAB_CEILINGS_CEILING_NAME_H
#define USKOR_LAB_CEILINGS_CEILING_NAME_H

#include "lab/bench/bench_record.h"

/* Names each rung's ceiling: the slowest of the probes that apply to it. */
void ceiling_name(const struct bench *bench, const struct runner *runner);

#endif
