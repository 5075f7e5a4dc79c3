#include "explain/model/look_back.h"

#include <math.h>

double explain_groups_at_once(const struct explain_kernel *kernel, const struct explain_occupancy *occupancy,
                              double units)
{
    double resident = occupancy && occupancy->groups > 0 ? occupancy->groups : 1;
    return fmin(explain_kernel_groups(kernel), resident * fmax(units, 1));
}

/* Groups that run at once publish their own sums together. Then group t reads back f words, one in each round, until
 * group t - f has a complete sum: it had f(t - f) rounds. A sum that completes in one round is read in the next at the
 * earliest, and half a round later on average, as groups do not poll in step: f(t) - f(t - f) = 1 + 1/2. So f is about
 * √(3t), and its mean over the groups up to t two thirds of that. */
double look_back_last(double at_once)
{
    return fmax(1, sqrt(3 * at_once));
}

double look_back_mean(double at_once)
{
    return fmax(1, 2 * look_back_last(at_once) / 3);
}

bool kernel_looks_back(const struct explain_kernel *kernel, int loop)
{
    while (loop >= 0 && !kernel->loops[loop].looks_back)
        loop = kernel->loops[loop].parent;
    return loop >= 0;
}

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
