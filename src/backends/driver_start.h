/* What a driver must not change while it starts: it runs code of its own in this process. */
#pragma once

#include <fenv.h>
#include <signal.h>

/* The signals by which this program is ended and learns of its children. Others are the driver's: compilers handle
 * faults of their code. */
#define DRIVER_START_SIGNALS 7

struct driver_start {
    struct sigaction actions[DRIVER_START_SIGNALS];
    sigset_t blocked;
    int files[3];    /* standard input, output and error under other numbers; -1: there was none */
    fenv_t floating; /* of this thread: a driver may flush subnormal numbers from its start on, or set traps */
};

/* Around a call of a driver that may load or start it. Between the two what is printed to standard output goes to
 * standard error, as the output may be a table for a program; behind them handlers, blocked signals, the standard
 * streams and the floating-point environment are what they were, even if the driver has closed them. Not to be nested;
 * one thread at a time. */
void driver_start_begin(struct driver_start *start);
void driver_start_end(const struct driver_start *start);
