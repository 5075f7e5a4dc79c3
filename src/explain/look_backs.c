#include "explain/look_backs.h"

#include "explain/model/look_back_rounds.h"
#include "explain/model/model.h"

static bool looks_back_at(const struct explain_kernel *kernel, int line)
{
    for (size_t i = 0; i < kernel->instruction_count; i++) {
        const struct explain_instruction *one = &kernel->instructions[i];
        if (one->line == line && one->class == CODE_LOAD && one->space == CODE_GLOBAL && one->is_coherent &&
            kernel_looks_back(kernel, one->loop))
            return true;
    }
    return false;
}

/* The mean over the kernels of the access's function: it may be launched in several shapes. */
static double rounds_of(const struct explain_compiled *compiled, const struct explain_occupancy *occupancies,
                        double units, const struct explain_access *access)
{
    double rounds = 0, shares = 0;
    if (access->space != EXPLAIN_GLOBAL || access->operation != EXPLAIN_LOAD)
        return 1;
    for (size_t k = 0; k < compiled->kernel_count; k++) {
        const struct explain_kernel *kernel = &compiled->kernels[k];
        if (!explain_is_access_of(access, kernel))
            continue;
        double share = explain_kernel_share(compiled, k);
        double at_once = explain_groups_at_once(kernel, occupancies ? &occupancies[k] : NULL, units);
        rounds += share * (looks_back_at(kernel, access->line) ? look_back_mean(at_once) : 1);
        shares += share;
    }
    return shares > 0 ? rounds / shares : 1;
}

void explain_trace_look_back(const struct explain_compiled *compiled, const struct explain_occupancy *occupancies,
                             double units, struct explain_trace *trace)
{
    for (size_t a = 0; a < trace->access_count; a++) {
        struct explain_access *access = &trace->accesses[a];
        double rounds = rounds_of(compiled, occupancies, units, access);
        access->warp_accesses *= rounds;
        access->first_bytes *= rounds;
        access->lines *= rounds;
        access->l1_passes *= rounds;
        for (int c = 0; c < EXPLAIN_RULES_MAX; c++) {
            access->counts[c].requests *= rounds;
            access->counts[c].transactions *= rounds;
            access->counts[c].bytes_moved *= rounds;
            access->counts[c].bytes_used *= rounds;
        }
    }
}
