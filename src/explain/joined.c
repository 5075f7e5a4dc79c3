/* The compiler joins loads of neighbouring words of shared memory into wide ones, and removes some. The trace runs the
 * source as written, so its counts lack both effects. If the kernel's machine code was executed, each line's
 * shared-memory loads and stores are counted from that code. */
#include "explain/joined.h"

#include <string.h>

#include "explain/model/model.h"

struct line_counts {
    double warp_accesses, requests, transactions, conflicts;
    unsigned bytes; /* of the widest access */
};

static bool is_same_line(const struct explain_access *a, const struct explain_access *b)
{
    return a->line == b->line && a->space == b->space && a->operation == b->operation &&
           strcmp(a->kernel, b->kernel) == 0;
}

static void add(struct line_counts *sum, const struct explain_access *access)
{
    sum->warp_accesses += access->warp_accesses;
    sum->requests += access->counts[0].requests;
    sum->transactions += access->counts[0].transactions;
    sum->conflicts += access->counts[0].conflicts;
    if (access->bytes > sum->bytes)
        sum->bytes = access->bytes;
}

/* Sums over all kernels of the access's function. False if one was not executed or its control flow depends on data. */
static bool count_code(const struct explain_compiled *compiled, const struct explain_access *access,
                       struct line_counts *sum)
{
    *sum = (struct line_counts){.bytes = 0};
    for (size_t k = 0; k < compiled->kernel_count; k++) {
        const struct explain_kernel *kernel = &compiled->kernels[k];
        if (!explain_is_access_of(access, kernel))
            continue;
        if (!kernel->executed || kernel->is_decided_by_data)
            return false;
        for (size_t a = 0; a < kernel->access_count; a++)
            if (is_same_line(&kernel->accesses[a], access))
                add(sum, &kernel->accesses[a]);
    }
    return sum->requests > 0;
}

static double quotient(double a, double b)
{
    return b > 0 ? a / b : 0;
}

/* The machine code's counts are per line. Several arrays on one line share them in proportion to their traced
 * counts. */
static void take(struct explain_access *access, const struct line_counts *traced, const struct line_counts *code)
{
    struct explain_counts *counts = &access->counts[0];
    access->warp_accesses *= quotient(code->warp_accesses, traced->warp_accesses);
    counts->requests *= quotient(code->requests, traced->requests);
    double passes = counts->transactions * quotient(code->transactions, traced->transactions);
    counts->conflicts = passes > counts->requests ? code->conflicts * quotient(passes, code->transactions) : 0;
    counts->transactions = passes;
    counts->per_request = quotient(passes, counts->requests);
    counts->conflicts_per_request = quotient(counts->conflicts, counts->requests);
    if (access->operation == EXPLAIN_LOAD && code->bytes > access->bytes)
        access->bytes = code->bytes;
}

void explain_join_accesses(const struct explain_compiled *compiled, struct explain_trace *trace)
{
    for (size_t a = 0; a < trace->access_count; a++) {
        struct line_counts code, traced = {.bytes = 0};
        if (trace->accesses[a].space != EXPLAIN_SHARED || trace->accesses[a].operation == EXPLAIN_ATOMIC ||
            !count_code(compiled, &trace->accesses[a], &code))
            continue;
        bool is_first = true;
        for (size_t b = 0; b < trace->access_count; b++)
            if (is_same_line(&trace->accesses[a], &trace->accesses[b])) {
                is_first &= b >= a;
                add(&traced, &trace->accesses[b]);
            }
        for (size_t b = a; is_first && b < trace->access_count; b++)
            if (is_same_line(&trace->accesses[a], &trace->accesses[b]))
                take(&trace->accesses[b], &traced, &code);
    }
}
