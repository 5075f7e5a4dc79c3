/* Converts the rows of a tally to the accesses of a source. */
#ifndef USKOR_EXPLAIN_MEMORY_RESULTS_H
#define USKOR_EXPLAIN_MEMORY_RESULTS_H

#include "explain/memory/access_trace.h"
#include "explain/memory/trace_device.h"

/* Fills in the trace. On failure it may be half filled; explain_trace_free frees it. */
enum status trace_results(const struct trace_device *device, size_t rule_count, struct explain_trace *trace,
                          struct error *error);

#endif
