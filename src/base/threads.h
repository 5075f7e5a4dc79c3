/* Whether threads can be started: OpenMP ends the program where one of its team cannot be. */
#pragma once

#include <stdbool.h>

#include "base/status.h"

/* Teams of OpenMP from now on are whole: never fewer threads than omp_get_max_threads() says. OMP_DYNAMIC and
 * OMP_THREAD_LIMIT make them so, and a library that shares its work among that number (oneDNN) leaves a part undone.
 * The calling thread is bound no longer (processors_unbind); the others of a team stay where OMP_PROC_BIND has bound
 * them. Without OMP_NUM_THREADS they are no larger than the CPU quota of the control groups. */
void threads_keep_teams_whole(void);

/* Sets the size of OpenMP's teams, and the upper bound of the pool's loops (base/pool.h): `team` threads, at most
 * OMP_THREAD_LIMIT. */
void threads_set(int team);

/* STATUS_UNAVAILABLE, in a line that names the cause, where the system does not start `team` threads with stacks of
 * OpenMP's size, and `further` ones with small stacks beside them. They are started, and ended at once. A team that was
 * started before is not tried again. */
enum status threads_suffice(int team, int further, struct error *error);

/* Whether OpenMP's binding (OMP_PROC_BIND, OMP_PLACES, GOMP_CPU_AFFINITY) gives a team of omp_get_max_threads() fewer
 * processors than it has threads; writes both numbers. Runs a parallel region where the size has changed. */
bool threads_are_crowded(int *threads, int *processors);
