/* The process in which a rung is recorded. */
#ifndef USKOR_EXPLAIN_CACHE_RECORD_PROCESS_H
#define USKOR_EXPLAIN_CACHE_RECORD_PROCESS_H

#include "explain/cache/recording.h"

/* Runs and returns recording->status; STATUS_UNAVAILABLE also when the process ended by itself. */
enum status recording_run(const struct recording_request *request, struct recording *recording, struct error *error);

#endif
