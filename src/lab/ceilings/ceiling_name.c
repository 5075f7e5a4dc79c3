#include "lab/ceilings/ceiling_name.h"

#include <stdio.h>

#include "lab/ceilings/probes.h"

void ceiling_name(const struct bench *bench, const struct runner *runner)
{
    struct measurement *measurement = bench_measured(bench, runner);
    double slowest = 0;
    for (size_t i = 0; !runner->is_probe && measurement->verdict == VERDICT_PASS && i < bench->runner_count; i++) {
        const struct runner *probe = &bench->runners[i];
        if (!probe->is_probe || probe->candidate.device != runner->candidate.device ||
            !probe_applies(runner->candidate.rung, bench->problem, probe->candidate.rung))
            continue;
        double median = measurement_summary(bench_measured(bench, probe), PHASE_COMPUTE).median;
        if (median > slowest) {
            snprintf(measurement->ceiling, sizeof measurement->ceiling, "%s", probe->candidate.rung->name);
            slowest = median;
        }
    }
}
