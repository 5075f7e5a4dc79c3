#include "lab/bench/describe.h"

#include <omp.h>
#include <stdio.h>
#include <time.h>

#include "base/message.h"
#include "version.h"

void describe_device(struct measurement *measurement, const struct device *device)
{
    snprintf(measurement->device, sizeof measurement->device, "%s", device->id);
    snprintf(measurement->device_name, sizeof measurement->device_name, "%s", device->properties.name);
    snprintf(measurement->driver, sizeof measurement->driver, "%s", device->properties.driver);
    snprintf(measurement->code_version, sizeof measurement->code_version, "%s", USKOR_CODE_VERSION);
    measurement->device_is_cpu = device->properties.is_cpu;
    measurement->made_at = (int64_t)time(NULL);
}

void describe_work(struct measurement *measurement, const struct problem *problem)
{
    const struct kernel *kernel = problem->kernel;
    const struct cost cost = kernel->cost(problem);
    snprintf(measurement->rate_unit, sizeof measurement->rate_unit, "%s", kernel->rate_unit);
    measurement->bytes = cost.bytes_read + cost.bytes_written;
    measurement->operations = cost.operations;
    measurement->work = kernel->work(problem);
}

void describe_measurement(struct measurement *measurement, const struct problem *problem,
                          const struct candidate *candidate, bool is_probe)
{
    static const enum measured_kind kinds[] = {
        [RUNG_HOST] = MEASURED_HOST, [RUNG_DEVICE] = MEASURED_DEVICE, [RUNG_VENDOR] = MEASURED_VENDOR};
    const struct kernel *kernel = problem->kernel;
    const struct device *device = candidate->device;
    snprintf(measurement->kernel, sizeof measurement->kernel, "%s", kernel->name);
    problem_text(problem, measurement->problem);
    snprintf(measurement->rung, sizeof measurement->rung, "%s", candidate->rung->name);
    snprintf(measurement->idea, sizeof measurement->idea, "%s", candidate->rung->idea);
    measurement->kind = is_probe ? MEASURED_PROBE : kinds[candidate->rung->kind];
    candidate_parameters(candidate, measurement->parameters, sizeof measurement->parameters);
    describe_device(measurement, device);
    describe_work(measurement, problem);
    measurement->threads = device->backend->kind == BACKEND_CPU ? (unsigned)omp_get_max_threads() : 0;
}

enum verdict verdict_of(enum status status)
{
    return status == STATUS_FAILED ? VERDICT_FAIL : status == STATUS_UNAVAILABLE ? VERDICT_SKIP : VERDICT_ERROR;
}

void conclude_measurement(struct measurement *measurement, enum verdict verdict, const char *reason)
{
    measurement->verdict = verdict;
    explain(measurement->reason, sizeof measurement->reason, "%s", reason);
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        measurement->phases[phase].count = 0;
}
