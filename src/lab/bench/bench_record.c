#include "lab/bench/bench_record.h"

#include "base/message.h"
#include "lab/bench/describe.h"
#include "lab/ceilings/ceiling_name.h"

void bench_progress(const struct bench *bench, const char *what, double fraction)
{
    if (bench->options->progress)
        bench->options->progress(bench->options->progress_context, what, fraction);
}

void bench_note_cores(const struct bench *bench, const struct runner *runner)
{
    if (runner->prepared.is_prepared && runner->prepared.run.device->backend->kind == BACKEND_CPU)
        cores_note(&bench->distances.looks, bench_measured(bench, runner));
}

void bench_hand_over(const struct bench *bench, struct runner *runner, bool for_good)
{
    struct measurement *measurement = bench_measured(bench, runner);
    if (!bench->options->finished || runner->finished || !bench->handing_over)
        return;
    runner->finished = for_good;
    ceiling_name(bench, runner);
    bench_note_cores(bench, runner);
    if (!for_good)
        explain(measurement->warnings, sizeof measurement->warnings,
                "the run was cut short before this was timed in full and checked a second time");
    bench->options->finished(bench->options->finished_context, measurement);
    if (!for_good)
        measurement->warnings[0] = 0;
}

void bench_conclude(const struct bench *bench, struct runner *runner, enum verdict verdict, const char *reason)
{
    conclude_measurement(bench_measured(bench, runner), verdict, reason);
    runner->active = false;
    bench_hand_over(bench, runner, true);
}
