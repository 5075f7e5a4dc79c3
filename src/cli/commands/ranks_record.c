#include "cli/commands/ranks_record.h"

#include <time.h>

#include "base/text.h"
#include "lab/bench/describe.h"
#include "version.h"

static void describe(struct measurement *made, const struct ranks_report *report, const struct ranks_row *row)
{
    const struct kernel *kernel = row->problem.kernel;
    const struct device *device = report->device;
    const struct cost cost = kernel->cost(&row->problem);
    char text[PROBLEM_TEXT_MAX], sent[32];
    snprintf(made->kernel, sizeof made->kernel, "ranks");
    snprintf(made->problem, sizeof made->problem, "ranks:%s", problem_text(&report->problem, text));
    snprintf(made->rung, sizeof made->rung, "%s", row->method->name);
    snprintf(made->idea, sizeof made->idea, "%s", row->method->idea);
    snprintf(made->parameters, sizeof made->parameters, "ranks=%d%s", row->count, report->weak ? " weak" : "");
    snprintf(made->detail, sizeof made->detail, "%s; in MPI %.0f %%; sent %s", ranks_version(),
             100 * row->result.communication, text_bytes(row->result.sent, sent, sizeof sent));
    snprintf(made->device, sizeof made->device, "%s", device->id);
    snprintf(made->device_name, sizeof made->device_name, "%s", device->properties.name);
    snprintf(made->driver, sizeof made->driver, "%s", device->properties.driver);
    snprintf(made->code_version, sizeof made->code_version, "%s", USKOR_CODE_VERSION);
    snprintf(made->rate_unit, sizeof made->rate_unit, "%s", kernel->rate_unit);
    made->kind = device->backend->kind == BACKEND_CPU ? MEASURED_HOST : MEASURED_DEVICE;
    made->threads = device->backend->kind == BACKEND_CPU ? (unsigned)report->threads : 0;
    made->device_is_cpu = device->properties.is_cpu;
    made->made_at = (int64_t)time(NULL);
    made->batch = 1;
    made->bytes = cost.bytes_read + cost.bytes_written;
    made->operations = cost.operations;
    made->work = kernel->work(&row->problem);
    made->predicted = row->predicted;
}

struct measurement *ranks_record(struct measurement_list *list, const struct ranks_report *report,
                                 const struct ranks_row *row)
{
    const struct distributed_result *result = &row->result;
    struct measurement *made = measurement_list_add(list);
    if (!made)
        return NULL;
    describe(made, report, row);
    for (size_t i = 0; i < result->time.count; i++)
        if (!samples_add(&made->phases[PHASE_COMPUTE], result->samples[i], (uint32_t)i))
            return NULL;
    made->worst_error = result->worst;
    snprintf(made->worst_where, sizeof made->worst_where, "%s", result->where);
    if (result->verdict == STATUS_OK)
        made->verdict = VERDICT_PASS;
    else
        conclude_measurement(made, verdict_of(result->verdict), result->reason);
    return made;
}
