/* The rounds in which a bench's rungs are timed. For lab/bench/bench.c alone. */
#pragma once

#include "lab/bench/bench_record.h"

/* Times all active runners in turns, round by round, until each median is precise enough, its time is spent, or the
 * user interrupts. A rung that fails during the rounds gets the verdict ERROR, or FAIL for a wrong result. */
void bench_hold_rounds(struct bench *bench);
