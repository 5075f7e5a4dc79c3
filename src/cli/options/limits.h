/* What the process was started with, where no command can work with it. */
#pragma once

#include "base/status.h"

/* STATUS_INVALID, in a line that names the limit, for: a stack that no rung fits on (ulimit -s, OMP_STACKSIZE), too few
 * files that can be opened at once (ulimit -n), threads that cannot be started (ulimit -u, -v), more threads than
 * --threads takes (OMP_NUM_THREADS), and less than three seconds of the processor's time (ulimit -t). Where more of it
 * is left, the signal before the end comes a quarter earlier. */
enum status limits_check(struct error *error);

/* To be called first: on a stack of a few pages nothing else would come to an end. Ends the program with the code. */
void limits_check_first(int code);
