/* The process that runs a rung by its copied code (recording.h). */
#ifndef USKOR_EXPLAIN_CACHE_RECORDED_RUN_H
#define USKOR_EXPLAIN_CACHE_RECORDED_RUN_H

#include "explain/cache/recording.h"

/* Never to be called in a process that goes on: it changes the rung's code. Leaves its result in the recording. */
void recorded_run(const struct recording_request *request, struct recording *recording);

#endif
