/* The process that runs a rung by its copied code (recording.h). */
#pragma once

#include "explain/cache/recording.h"

/* Never to be called in a process that goes on: it changes the rung's code. Leaves its result in the recording. */
void recorded_run(const struct recording_request *request, struct recording *recording);
