#include "lab/ceilings/ceiling_judgement.h"

#include <string.h>

#include "base/message.h"
#include "lab/ceilings/ceiling_confirm.h"
#include "lab/ceilings/ceiling_name.h"
#include "lab/ceilings/probes.h"
#include "lab/ceilings/too_fast.h"
#include "store/ceiling.h"

#define UNSTEADY 0.10 /* an interquartile range above this fraction of the median gets a warning */

void ceiling_warn(const struct bench *bench, const struct runner *runner)
{
    struct measurement *measurement = bench_measured(bench, runner);
    struct summary summary = measurement_summary(measurement, PHASE_COMPUTE);
    const double spread = summary.quartile3 - summary.quartile1;
    const bool on_cpu = runner->prepared.run.device->properties.is_cpu;
    if (cores_moved(measurement))
        explain(measurement->warnings, sizeof measurement->warnings,
                "moved: the cores changed place while it was timed");
    else if (on_cpu &&
             background_warn(measurement->warnings, sizeof measurement->warnings, &bench->begun, &bench->ended))
        return;
    else if (spread > UNSTEADY * summary.median)
        explain(measurement->warnings, sizeof measurement->warnings,
                "unsteady: half of the samples spread over %.0f %%", 100 * spread / summary.median);
}

/* The probe that a rung's measurement names. */
static struct runner *probe_of(struct bench *bench, const struct runner *runner)
{
    for (size_t i = 0; i < bench->runner_count; i++) {
        struct runner *probe = &bench->runners[i];
        if (probe->is_probe && probe->candidate.device == runner->candidate.device &&
            strcmp(probe->candidate.rung->name, bench_measured(bench, runner)->ceiling) == 0)
            return probe;
    }
    return NULL;
}

/* Whether other programs, or two of its own threads on one core, may have held up the probe. Then a rung of one thread
 * seems to beat a probe of several. */
static bool is_doubtful(const struct runner *runner, const struct beaten_ceiling *found, double others)
{
    return runner->prepared.run.device->properties.is_cpu && (!found->is_certain || others > BACKGROUND_DISTURBS);
}

/* A file has no verdict then; a rung of ours, none on its figure. */
static void leave_open(struct bench *bench, struct runner *runner, double share, double others)
{
    char reason[160];
    explain(reason, sizeof reason,
            "disturbed: it seems to reach %.0f %% of the ceiling; other programs used %.1f of %u CPUs", 100 * share,
            others, runner->prepared.run.device->properties.units);
    bench_conclude(bench, runner, runner->candidate.rung->varies ? VERDICT_ERROR : VERDICT_SKIP, reason);
}

/* A file whose second look did not confirm it, and that is above the mended ceiling all the same. */
static bool is_still_above(const struct runner *runner, const struct measurement *measurement,
                           const struct measurement *ceiling, double passes, double *share)
{
    const struct samples *rungs = &measurement->phases[PHASE_COMPUTE], *probes = &ceiling->phases[PHASE_COMPUTE];
    *share =
        measurement_summary(ceiling, PHASE_COMPUTE).median / measurement_summary(measurement, PHASE_COMPUTE).median;
    return runner->candidate.rung->varies && runner->prepared.run.device->properties.is_cpu &&
           measurement->verdict == VERDICT_PASS && *share > TOO_FAST_MARGIN * passes &&
           maybe_too_fast(rungs, probes, passes);
}

/* On a device a launch costs microseconds before the first byte, and a rung may do without where the probe needs one:
 * an order of one element is a fill. There a problem is judged only where the rung moves its data at some pace. Memory
 * of every device is faster than this pace. */
#define TINY_BYTES_PER_NS 10

static bool is_tiny(const struct bench *bench, const struct runner *runner)
{
    const struct cost cost = bench->problem->kernel->cost(bench->problem);
    const double median = measurement_summary(bench_measured(bench, runner), PHASE_COMPUTE).median;
    return !runner->prepared.run.device->properties.is_cpu &&
           cost.bytes_read + cost.bytes_written < TINY_BYTES_PER_NS * median;
}

void ceiling_judge(struct bench *bench, struct runner *runner)
{
    struct measurement *measurement = bench_measured(bench, runner);
    if (!runner->prepared.is_prepared || runner->is_probe || measurement->verdict != VERDICT_PASS)
        return;
    ceiling_name(bench, runner);
    const struct measurement *ceiling = measurement_ceiling(bench->list, measurement);
    if (!ceiling && measurement->ceiling[0])
        explain(measurement->warnings, sizeof measurement->warnings,
                "no share: the stored ceiling was measured with the threads on other cores");
    struct runner *probe = probe_of(bench, runner);
    if (!ceiling || !probe || tensor_products_of(ceiling->rung) || is_tiny(bench, runner))
        return;
    const bool of_memory = probe_is_of_memory(ceiling->rung);
    const int cost_passes = bench->problem->kernel->cost(bench->problem).passes;
    /* A rung that fuses passes moves fewer bytes than the ceiling's probe, but no fewer than one pass does. */
    const double passes = of_memory && runner->candidate.rung->fuses && cost_passes > 1 ? cost_passes : 1;
    if (!maybe_too_fast(&measurement->phases[PHASE_COMPUTE], &ceiling->phases[PHASE_COMPUTE], passes))
        return;
    struct beaten_ceiling found = {0};
    const struct processor_times before = processor_times_now();
    const bool is_confirmed = ceiling_confirm(bench, runner, probe, passes, &found);
    char reason[160];
    const struct processor_times after = processor_times_now();
    const double others = background_load_between(&before, &after);
    if (!is_confirmed) {
        if (is_still_above(runner, measurement, ceiling, passes, &found.share))
            leave_open(bench, runner, found.share, others);
        return;
    }
    if (is_doubtful(runner, &found, others)) {
        leave_open(bench, runner, found.share, others);
        return;
    }
    explain(reason, sizeof reason,
            of_memory ? "%.0f %% of the ceiling: faster than this machine can move the data, so the figure is wrong"
                      : "%.0f %% of the ceiling: more arithmetic than this machine can do, so the figure is wrong",
            100 * found.share);
    bench_conclude(bench, runner, VERDICT_ERROR, reason);
}
