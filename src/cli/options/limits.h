/* What the process was started with, where no command can work with it. */
#ifndef USKOR_CLI_OPTIONS_LIMITS_H
#define USKOR_CLI_OPTIONS_LIMITS_H

#include "base/status.h"

/* STATUS_INVALID for a stack that no rung fits on (ulimit -s), and for more threads than --threads takes
 * (OMP_NUM_THREADS). Where a limit of the processor's time (ulimit -t) would kill the process without a word, the
 * signal before it comes a quarter earlier. */
enum status limits_check(struct error *error);

#endif
