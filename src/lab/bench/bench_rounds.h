/* The rounds in which a bench's rungs are timed. For lab/bench/bench.c alone. */
#ifndef USKOR_LAB_BENCH_BENCH_ROUNDS_H
#define USKOR_LAB_BENCH_BENCH_ROUNDS_H

#include "lab/bench/bench_record.h"

/* Times all that is active in turns, round by round, until each figure is narrow, its time is spent or the user
 * interrupts. A rung that fails on the way becomes an error. */
void bench_hold_rounds(struct bench *bench);

#endif
