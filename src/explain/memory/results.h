/* From the rows of a tally to the accesses of a source. */
#ifndef USKOR_EXPLAIN_MEMORY_RESULTS_H
#define USKOR_EXPLAIN_MEMORY_RESULTS_H

#include "explain/memory/access_trace.h"
#include "explain/memory/trace_device.h"

/* Fills in the trace; on failure it may be half filled, and is for explain_trace_free. */
enum status trace_results(const struct trace_device *device, size_t rule_count, struct explain_trace *trace,
                          struct error *error);

#endif
