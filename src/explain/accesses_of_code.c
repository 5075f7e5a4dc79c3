#include "explain/accesses_of_code.h"

#include <stdlib.h>
#include <string.h>

/* Whether the line has an instruction that moves to or from this space at an address that hung on loaded data. */
static bool is_at_unknown(const struct explain_kernel *kernel, int line, enum explain_space space)
{
    static const enum code_space spaces[] = {
        [EXPLAIN_GLOBAL] = CODE_GLOBAL, [EXPLAIN_SHARED] = CODE_SHARED, [EXPLAIN_OWN] = CODE_STACK};
    for (size_t i = 0; i < kernel->instruction_count; i++)
        if (kernel->instructions[i].line == line && kernel->instructions[i].space == spaces[space] &&
            kernel->instructions[i].is_at_unknown)
            return true;
    return false;
}

static bool is_counted(const struct explain_compiled *compiled, const struct explain_access *access, bool needs_all)
{
    for (size_t k = 0; k < compiled->kernel_count; k++) {
        const struct explain_kernel *kernel = &compiled->kernels[k];
        if (strcmp(kernel->name, access->kernel) != 0)
            continue;
        bool is_guessed = kernel->is_decided_by_data || is_at_unknown(kernel, access->line, access->space);
        if (!kernel->executed || (needs_all && is_guessed))
            return false;
    }
    return true;
}

void explain_take_accesses(const struct explain_compiled *compiled, bool needs_all, struct explain_trace *trace)
{
    size_t count = trace->access_count, kept = 0;
    bool is_any = false, is_all = true;
    for (size_t k = 0; k < compiled->kernel_count; k++)
        count += compiled->kernels[k].access_count;
    struct explain_access *all = compiled->stands_in[0] ? NULL : calloc(count + 1, sizeof *all);
    for (size_t a = 0; all && a < trace->access_count; a++)
        if (!is_counted(compiled, &trace->accesses[a], needs_all))
            all[kept++] = trace->accesses[a];
    for (size_t k = 0; all && k < compiled->kernel_count; k++) {
        const struct explain_kernel *kernel = &compiled->kernels[k];
        is_all &= kernel->executed && !(needs_all && (kernel->is_decided_by_data || kernel->lacks_addresses));
        for (size_t a = 0; a < kernel->access_count; a++)
            if (is_counted(compiled, &kernel->accesses[a], needs_all)) {
                all[kept++] = kernel->accesses[a];
                is_any = true;
            }
        trace->data_decides |= !needs_all && kernel->is_decided_by_data;
    }
    if (!is_any) {
        free(all);
        return;
    }
    free(trace->accesses);
    trace->accesses = all;
    trace->access_count = kept;
    trace->is_of_code = is_all;
}
