/* The ceiling of each rung of a bench. */
#pragma once

#include "lab/bench/bench_record.h"

/* Writes the name of the rung's ceiling into its measurement: the slowest probe that applies to it. */
void ceiling_name(const struct bench *bench, const struct runner *runner);
