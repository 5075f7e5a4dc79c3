/* Whether threads can be started: OpenMP ends the program where one of its team cannot be. */
#ifndef USKOR_BASE_THREADS_H
#define USKOR_BASE_THREADS_H

#include "base/status.h"

/* STATUS_UNAVAILABLE, in a line that names the cause, where the system does not start `team` threads with stacks of
 * OpenMP's size, and `further` ones with small stacks beside them. They are started, and ended at once. A team that was
 * started before is not tried again. */
enum status threads_suffice(int team, int further, struct error *error);

#endif
