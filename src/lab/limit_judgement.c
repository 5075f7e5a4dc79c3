#include "lab/limit_judgement.h"

#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "lab/limit.h"
#include "lab/limit_confirm.h"
#include "lab/too_fast.h"
#include "store/ceiling.h"

#define DISTURBED 0.2 /* processors in the hands of others, on average */
#define UNSTEADY 0.10 /* quartiles this far apart, relative to the median, are worth a warning */

void limit_name(const struct bench *bench, const struct runner *runner)
{
    struct measurement *measurement = bench_measured(bench, runner);
    double slowest = 0;
    for (size_t i = 0; !runner->is_limit && measurement->verdict == VERDICT_PASS && i < bench->runner_count; i++) {
        const struct runner *probe = &bench->runners[i];
        if (!probe->is_limit || probe->contender.device != runner->contender.device ||
            !limit_holds(runner->contender.rung, probe->contender.rung))
            continue;
        double median = measurement_summary(bench_measured(bench, probe), PHASE_COMPUTE).median;
        if (median > slowest) {
            snprintf(measurement->limit, sizeof measurement->limit, "%s", probe->contender.rung->name);
            slowest = median;
        }
    }
}

void limit_warn(const struct bench *bench, const struct runner *runner)
{
    struct measurement *measurement = bench_measured(bench, runner);
    struct summary summary = measurement_summary(measurement, PHASE_COMPUTE);
    double others = neighbours_between(&bench->begun, &bench->ended), spread = summary.quartile3 - summary.quartile1;
    if (cores_moved(measurement))
        explain(measurement->warnings, sizeof measurement->warnings,
                "moved: the cores changed place while it was timed");
    else if (runner->run.device->properties.is_cpu && others > DISTURBED)
        explain(measurement->warnings, sizeof measurement->warnings,
                "disturbed: other programs kept %.1f processors busy meanwhile", others);
    else if (spread > UNSTEADY * summary.median)
        explain(measurement->warnings, sizeof measurement->warnings,
                "unsteady: half of the samples spread over %.0f %%", 100 * spread / summary.median);
}

/* The probe that a rung's measurement names. */
static struct runner *probe_of(struct bench *bench, const struct runner *runner)
{
    for (size_t i = 0; i < bench->runner_count; i++) {
        struct runner *probe = &bench->runners[i];
        if (probe->is_limit && probe->contender.device == runner->contender.device &&
            strcmp(probe->contender.rung->name, bench_measured(bench, runner)->limit) == 0)
            return probe;
    }
    return NULL;
}

void limit_judge(struct bench *bench, struct runner *runner)
{
    struct measurement *measurement = bench_measured(bench, runner);
    if (!runner->prepared || runner->is_limit || measurement->verdict != VERDICT_PASS)
        return;
    limit_name(bench, runner);
    const struct measurement *limit = measurement_limit(bench->list, measurement);
    if (!limit && measurement->limit[0])
        explain(measurement->warnings, sizeof measurement->warnings,
                "no share: the kept limit was measured with the cores elsewhere");
    struct runner *probe = probe_of(bench, runner);
    if (!limit || !probe || tensor_products_of(limit->rung))
        return;
    const bool of_memory = limit_is_of_memory(limit->rung);
    const int cost_passes = bench->problem->kernel->cost(bench->problem).passes;
    /* A rung that does several passes in one moves less than the limit's probe, but no less than one pass does. */
    const double passes = of_memory && runner->contender.rung->fuses && cost_passes > 1 ? cost_passes : 1;
    if (!maybe_too_fast(&measurement->phases[PHASE_COMPUTE], &limit->phases[PHASE_COMPUTE], passes))
        return;
    double share = 0;
    if (!limit_confirm(bench, runner, probe, passes, &share))
        return;
    char reason[160];
    explain(reason, sizeof reason,
            of_memory ? "%.0f %% of the limit: faster than this machine can move the data, so the figure is wrong"
                      : "%.0f %% of the limit: more arithmetic than this machine can do, so the figure is wrong",
            100 * share);
    bench_conclude(bench, runner, VERDICT_ERROR, reason);
}
