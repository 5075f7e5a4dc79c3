/* The model's prediction of a remedy: the counts of an explanation, copied and changed, and timed again. */
#pragma once

#include "explain/explain.h"

struct what_if {
    const struct explanation_request *request;
    struct explain_compiled compiled; /* its kernels, their instructions and executions are copies */
    struct explain_occupancy *occupancies;
    struct explain_trace trace;   /* its accesses are copies, with room for one more: */
    struct explain_access *added; /* … behind them; empty */
};

/* False when memory is out; what_if_end is called all the same. */
bool what_if_begin(const struct explanation_request *request, const struct explanation *explanation,
                   struct what_if *what_if);
void what_if_end(struct what_if *what_if);

/* Nanoseconds by the changed counts. */
double what_if_time(struct what_if *what_if);

/* The instruction is executed `times` as often; 0: not at all. */
void what_if_scale(struct explain_kernel *kernel, size_t instruction, double times);

/* The access moves `times` as much, in as many fewer requests. */
void what_if_thin(struct explain_access *access, double times);
