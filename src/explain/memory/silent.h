/* Groups that run without a record, for what later launches read. */
#ifndef USKOR_EXPLAIN_MEMORY_SILENT_H
#define USKOR_EXPLAIN_MEMORY_SILENT_H

#include "explain/memory/group.h"

/* Runs the launch's groups that are not `done` (a byte for each), with the program's silent link, in child processes
 * that share the buffers: one for each of the machine's processors, and one that crashes does no more harm.
 * STATUS_FAILED when one does. */
enum status silent_run(const struct group_runner *runner, const struct launch *launch, const unsigned char *done,
                       struct error *error);

#endif
