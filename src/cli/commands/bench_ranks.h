/* uskor bench, started by mpirun: methods over ranks instead of rungs on a device. */
#ifndef USKOR_CLI_COMMANDS_BENCH_RANKS_H
#define USKOR_CLI_COMMANDS_BENCH_RANKS_H

#include "cli/options/bench_session.h"

/* Measures every method of each problem's kernel on 1, 2, 4 … ranks and on all of them; rank 0 prints. Returns the exit
 * code, the same on every rank. The session is not started: what is measured is not kept. */
int bench_over_ranks(struct bench_session *session);

#endif
