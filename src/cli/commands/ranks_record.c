#include "cli/commands/ranks_table.h"

#include "base/text.h"
#include "lab/bench/describe.h"

static void describe(struct measurement *made, const struct ranks_report *report, const struct ranks_row *row)
{
    const struct device *device = report->device;
    char text[PROBLEM_TEXT_MAX], sent[32];
    snprintf(made->kernel, sizeof made->kernel, "ranks");
    snprintf(made->problem, sizeof made->problem, "ranks:%s", problem_text(&report->problem, text));
    snprintf(made->rung, sizeof made->rung, "%s", row->method->name);
    snprintf(made->idea, sizeof made->idea, "%s", row->method->idea);
    snprintf(made->parameters, sizeof made->parameters, "ranks=%d%s", row->count, report->weak ? " weak" : "");
    snprintf(made->detail, sizeof made->detail, "%s; in MPI %.0f %%; sent %s", ranks_version(),
             100 * row->result.communication, text_bytes(row->result.sent, sent, sizeof sent));
    describe_device(made, device);
    describe_work(made, &row->problem);
    made->kind = device->backend->kind == BACKEND_CPU ? MEASURED_HOST : MEASURED_DEVICE;
    made->threads = device->backend->kind == BACKEND_CPU ? (unsigned)report->threads : 0;
    made->batch = 1;
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
