/* Runs groups without recording, for the data that later launches read. */
#pragma once

#include "explain/memory/group.h"

/* Processes that run groups, launch after launch: forking anew for each would take longer than short launches. */
struct silent_crew;

/* Runs the launch's groups that are not `done` (one byte each) with the program's silent link. It uses child processes
 * that share the buffers, one per CPU core, so that a crash does no further harm. They stay in *crew (NULL: none yet)
 * for the next launch of the program. STATUS_FAILED when one crashes. */
enum status silent_run(struct silent_crew **crew, const struct group_runner *runner, const struct launch *launch,
                       const unsigned char *done, struct error *error);
void silent_crew_end(struct silent_crew *crew); /* NULL is fine */
