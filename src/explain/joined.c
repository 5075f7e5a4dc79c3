/* The compiler joins loads of neighbouring words into wide ones, and removes some. The trace runs the source as
 * written, so its counts lack both effects. If the kernel's machine code was executed, each line's shared-memory loads
 * and stores are counted from that code. A line without any there has none. So it is in global memory, for lines whose
 * accesses have other widths in the code: the others' counts are equal, and the trace has seen more groups. */
#include "explain/joined.h"

#include <stdlib.h>
#include <string.h>

#include "explain/model/model.h"

struct line_counts {
    double warp_accesses, requests, transactions, conflicts, moved, used, lines, l1_passes;
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
    sum->moved += access->counts[0].bytes_moved;
    sum->used += access->counts[0].bytes_used;
    sum->lines += access->lines;
    sum->l1_passes += access->l1_passes;
    if (access->bytes > sum->bytes)
        sum->bytes = access->bytes;
}

/* Whether the function's machine code was executed, with a control flow that does not depend on data. */
static bool is_counted(const struct explain_compiled *compiled, const struct explain_access *access)
{
    bool is_found = false;
    for (size_t k = 0; k < compiled->kernel_count; k++) {
        const struct explain_kernel *kernel = &compiled->kernels[k];
        if (!explain_is_access_of(access, kernel))
            continue;
        if (!kernel->executed || kernel->is_decided_by_data)
            return false;
        is_found = true;
    }
    return is_found;
}

static bool is_instruction_of(const struct explain_instruction *one, const struct explain_access *access)
{
    enum code_class class = access->operation == EXPLAIN_LOAD ? CODE_LOAD : CODE_STORE;
    return one->line == access->line && one->class == class &&
           one->space == (access->space == EXPLAIN_SHARED ? CODE_SHARED : CODE_GLOBAL);
}

/* Whether the code has an instruction for it: one whose address depends on data is not counted there. */
static bool has_instruction(const struct explain_compiled *compiled, const struct explain_access *access,
                            bool at_unknown)
{
    for (size_t k = 0; k < compiled->kernel_count; k++) {
        const struct explain_kernel *kernel = &compiled->kernels[k];
        for (size_t i = 0; explain_is_access_of(access, kernel) && i < kernel->instruction_count; i++)
            if (is_instruction_of(&kernel->instructions[i], access) &&
                (!at_unknown || kernel->instructions[i].is_at_unknown))
                return true;
    }
    return false;
}

/* Sums over all kernels of the access's function. */
static void count_code(const struct explain_compiled *compiled, const struct explain_access *access,
                       struct line_counts *sum)
{
    *sum = (struct line_counts){.bytes = 0};
    for (size_t k = 0; k < compiled->kernel_count; k++) {
        const struct explain_kernel *kernel = &compiled->kernels[k];
        for (size_t a = 0; explain_is_access_of(access, kernel) && a < kernel->access_count; a++)
            if (is_same_line(&kernel->accesses[a], access))
                add(sum, &kernel->accesses[a]);
    }
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
    counts->bytes_moved *= quotient(code->moved, traced->moved);
    counts->bytes_used *= quotient(code->used, traced->used);
    counts->bytes_used_percent = quotient(100 * counts->bytes_used, counts->bytes_moved);
    access->lines *= quotient(code->lines, traced->lines);
    access->l1_passes *= quotient(code->l1_passes, traced->l1_passes);
    if ((access->operation == EXPLAIN_LOAD || access->space == EXPLAIN_GLOBAL) && code->bytes > access->bytes)
        access->bytes = code->bytes;
    else if (access->space == EXPLAIN_GLOBAL && access->bytes > code->bytes && code->bytes > 0)
        access->bytes = code->bytes; /* the rest of the word is not used */
}

static void join_line(const struct explain_compiled *compiled, struct explain_trace *trace, size_t first)
{
    struct line_counts code, traced = {.bytes = 0};
    count_code(compiled, &trace->accesses[first], &code);
    if (code.requests <= 0)
        return;
    for (size_t b = 0; b < trace->access_count; b++)
        if (is_same_line(&trace->accesses[first], &trace->accesses[b])) {
            if (b < first)
                return; /* that one has taken the line's counts */
            add(&traced, &trace->accesses[b]);
        }
    for (size_t b = first; b < trace->access_count; b++)
        if (is_same_line(&trace->accesses[first], &trace->accesses[b]))
            take(&trace->accesses[b], &traced, &code);
}

/* In global memory, of one array: loads of two arrays may share a source line. */
static bool is_of_kind(const struct explain_access *a, const struct explain_access *b)
{
    return a->space == b->space && a->operation == b->operation &&
           (a->space == EXPLAIN_SHARED || strcmp(a->array, b->array) == 0);
}

static bool is_alike(const struct explain_access *a, const struct explain_access *b)
{
    return is_of_kind(a, b) && strcmp(a->kernel, b->kernel) == 0 && strcmp(a->file, b->file) == 0;
}

static bool is_joinable(const struct explain_access *access)
{
    return access->operation != EXPLAIN_ATOMIC;
}

/* Whether every width that the trace has at the access's line is one that the code has there, and the other way round.
 */
static bool has_widths_of_code(const struct explain_compiled *compiled, const struct explain_trace *trace,
                               const struct explain_access *access)
{
    unsigned traced = 0, code = 0; /* widths are powers of two: a bit each */
    for (size_t a = 0; a < trace->access_count; a++)
        if (is_same_line(&trace->accesses[a], access))
            traced |= trace->accesses[a].bytes;
    for (size_t k = 0; k < compiled->kernel_count; k++) {
        const struct explain_kernel *kernel = &compiled->kernels[k];
        for (size_t i = 0; explain_is_access_of(access, kernel) && i < kernel->instruction_count; i++)
            if (is_instruction_of(&kernel->instructions[i], access))
                code |= (unsigned)kernel->instructions[i].bits / 8;
    }
    return traced == code;
}

/* Of global memory, whether the code joined, split, removed or repeated the accesses of this line. One that the code
 * has elsewhere, or not at all, was joined if accesses of its kind were. */
static bool is_other_in_code(const struct explain_compiled *compiled, const struct explain_trace *trace,
                             const struct explain_access *access)
{
    if (has_instruction(compiled, access, false))
        return !has_instruction(compiled, access, true) && !has_widths_of_code(compiled, trace, access);
    for (size_t a = 0; a < trace->access_count; a++) {
        const struct explain_access *other = &trace->accesses[a];
        if (is_alike(other, access) && has_instruction(compiled, other, false) &&
            is_other_in_code(compiled, trace, other))
            return true;
    }
    return false;
}

/* Whether the code's counts replace those of the trace. */
static bool is_replaced(const struct explain_compiled *compiled, const struct explain_trace *trace,
                        const struct explain_access *access)
{
    if (!is_joinable(access) || !is_counted(compiled, access))
        return false;
    return access->space == EXPLAIN_SHARED ||
           (compiled->stands_in[0] == '\0' && is_other_in_code(compiled, trace, access));
}

static bool is_traced(const struct explain_trace *trace, const struct explain_access *code)
{
    for (size_t a = 0; a < trace->access_count; a++)
        if (is_same_line(&trace->accesses[a], code))
            return true;
    return false;
}

/* Lines of the source that the code has not share what it has elsewhere, in lines that the trace has not. Mostly that
 * is nothing: another line's wide access does their work. */
static void settle(const struct explain_compiled *compiled, struct explain_trace *trace, size_t first,
                   const bool *is_in_code)
{
    struct line_counts code = {.bytes = 0}, traced = {.bytes = 0};
    for (size_t k = 0; k < compiled->kernel_count; k++) {
        const struct explain_kernel *kernel = &compiled->kernels[k];
        for (size_t a = 0; explain_is_access_of(&trace->accesses[first], kernel) && a < kernel->access_count; a++) {
            const struct explain_access *one = &kernel->accesses[a];
            if (is_of_kind(one, &trace->accesses[first]) && !is_traced(trace, one))
                add(&code, one);
        }
    }
    for (size_t b = first; b < trace->access_count; b++)
        if (!is_in_code[b] && is_alike(&trace->accesses[first], &trace->accesses[b]))
            add(&traced, &trace->accesses[b]);
    for (size_t b = first; b < trace->access_count; b++)
        if (!is_in_code[b] && is_alike(&trace->accesses[first], &trace->accesses[b]))
            take(&trace->accesses[b], &traced, &code);
}

static void drop_empty(struct explain_trace *trace)
{
    size_t kept = 0;
    for (size_t a = 0; a < trace->access_count; a++)
        if (!is_joinable(&trace->accesses[a]) || trace->accesses[a].counts[0].requests > 0)
            trace->accesses[kept++] = trace->accesses[a];
    trace->access_count = kept;
}

/* Marks what is taken from the code, and what of that the code has not; before anything is taken, as that changes
 * widths. */
static void compare(const struct explain_compiled *compiled, const struct explain_trace *trace, bool *is_taken,
                    bool *is_in_code)
{
    for (size_t a = 0; a < trace->access_count; a++) {
        struct line_counts code;
        const struct explain_access *access = &trace->accesses[a];
        is_taken[a] = is_replaced(compiled, trace, access);
        if (is_taken[a])
            count_code(compiled, access, &code);
        is_in_code[a] = !is_taken[a] || code.requests > 0 || has_instruction(compiled, access, false);
    }
}

void explain_join_accesses(const struct explain_compiled *compiled, struct explain_trace *trace)
{
    bool *is_taken = calloc(trace->access_count + 1, sizeof *is_taken);
    bool *is_in_code = calloc(trace->access_count + 1, sizeof *is_in_code);
    bool is_known = is_taken && is_in_code;
    if (is_known)
        compare(compiled, trace, is_taken, is_in_code);
    for (size_t a = 0; is_known && a < trace->access_count; a++)
        if (is_taken[a])
            join_line(compiled, trace, a);
    for (size_t a = 0; is_known && a < trace->access_count; a++) {
        bool is_first = !is_in_code[a];
        for (size_t b = 0; b < a; b++)
            is_first &= is_in_code[b] || !is_alike(&trace->accesses[a], &trace->accesses[b]);
        if (is_first)
            settle(compiled, trace, a, is_in_code);
    }
    free(is_taken);
    free(is_in_code);
    drop_empty(trace);
}
