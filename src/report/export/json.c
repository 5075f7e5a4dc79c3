
#include <math.h>

#include "report/export/json.h"
#include "report/model/rows.h"
#include "report/terminal/report.h"

json_t *report_real(double value)
{
    return isnan(value) ? json_null() : isinf(value) ? json_string("infinite") : json_real(value);
}

json_t *report_positive(double value)
{
    return value > 0 ? report_real(value) : json_null();
}

bool report_json_write(FILE *stream, const char *schema, json_t *value)
{
    size_t i;
    json_t *each;
    json_array_foreach(value, i, each) json_object_set_new(each, "schema", json_string(schema));
    if (json_is_object(value))
        json_object_set_new(value, "schema", json_string(schema));
    const bool written = value && json_dumpf(value, stream, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) == 0 &&
                         fputc('\n', stream) != EOF && fflush(stream) == 0;
    json_decref(value);
    return written;
}

static json_t *summary_object(const struct summary *summary)
{
    return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "count", (json_int_t)summary->count,
                     "minimum", report_real(summary->minimum), "quartile1", report_real(summary->quartile1), "median",
                     report_real(summary->median), "quartile3", report_real(summary->quartile3), "maximum",
                     report_real(summary->maximum), "mean", report_real(summary->mean), "deviation",
                     report_real(summary->deviation), "low", report_real(summary->low), "high",
                     report_real(summary->high));
}

/* {"compute": {"summary": …, "samples": […], "rounds": […]}, …} for the phases that were measured. */
static json_t *phases_object(const struct measurement *measurement)
{
    json_t *phases = json_object();
    for (int phase = 0; phase < PHASE_COUNT; phase++) {
        const struct samples *samples = &measurement->phases[phase];
        if (!samples->count)
            continue;
        struct summary summary = measurement_summary(measurement, phase);
        json_t *times = json_array(), *rounds = json_array();
        for (size_t i = 0; i < samples->count; i++) {
            json_array_append_new(times, json_real(samples->items[i].nanoseconds));
            json_array_append_new(rounds, json_integer(samples->items[i].round));
        }
        json_object_set_new(
            phases, phase_name(phase),
            json_pack("{s:o, s:o, s:o}", "summary", summary_object(&summary), "samples", times, "rounds", rounds));
    }
    return phases;
}

/* null for a figure that noise voids: "too_noisy" says so. */
static json_t *figure(double value, bool is_void)
{
    return is_void ? json_null() : report_real(value);
}

static json_t *measurement_object(const struct measurement_list *list, const struct measurement *measurement)
{
    const struct row row = row_make(list, measurement, NULL);
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:b, s:s, s:I, s:s, s:s, s:o, s:s, s:s, s:s, "
        "s:i, s:o, s:o, s:o, "
        "s:s, s:o, s:s, s:o, s:o, s:o, s:i, s:o, s:o, s:o, s:o, s:o}",
        "kernel", measurement->kernel, "problem", measurement->problem, "rung", measurement->rung, "kind",
        measured_kind_name(measurement->kind), "idea", measurement->idea, "parameters", measurement->parameters,
        "detail", measurement->detail, "device", measurement->device, "device_name", measurement->device_name, "driver",
        measurement->driver, "device_is_cpu", (int)measurement->device_is_cpu, "code_version",
        measurement->code_version, "made_at", (json_int_t)measurement->made_at, "verdict",
        verdict_name(measurement->verdict), "reason", measurement->reason, "worst_error",
        report_real(measurement->worst_error), "worst_where", measurement->worst_where, "warnings",
        measurement->warnings, "cache", measurement->cold ? "cold" : "hot", "batch", (int)measurement->batch, "bytes",
        report_real(measurement->bytes), "operations", report_real(measurement->operations), "rate",
        figure(row.rate, row.is_void), "rate_unit", measurement->rate_unit, "of_ceiling",
        figure(row.of_ceiling, row.share_is_void), "too_noisy",
        row.is_void         ? "figure"
        : row.share_is_void ? "share"
                            : "",
        "core_latency", report_real(measurement->core_latency), "core_latency_low",
        report_real(measurement->core_latency_low), "core_latency_high", report_real(measurement->core_latency_high),
        "throttled_samples", (int)measurement->throttled, "clock_mhz", report_real(measurement->clock_mhz), "joules",
        report_real(measurement->joules), "cycles", report_real(measurement->cycles), "instructions",
        report_real(measurement->instructions), "nanoseconds", phases_object(measurement));
}

static bool add_errors(json_t *object, const struct accuracy_list *errors, size_t measurement)
{
    for (size_t i = 0; errors && i < errors->count; i++) {
        const struct accuracy *each = &errors->items[i];
        if (each->measurement == measurement)
            return json_object_set_new(object, "accuracy",
                                       json_pack("{s:o, s:o, s:o, s:I, s:I}", "relative", report_real(each->relative),
                                                 "componentwise", report_real(each->componentwise), "largest",
                                                 report_real(each->largest), "rows", (json_int_t)each->rows, "all_rows",
                                                 (json_int_t)each->all_rows)) == 0;
    }
    return true;
}

bool report_json_accuracy(FILE *stream, const struct measurement_list *list, const struct accuracy_list *errors)
{
    json_t *array = json_array();
    bool written = array != NULL;
    for (size_t i = 0; written && i < list->count; i++) {
        json_t *object = measurement_object(list, &list->items[i]);
        written = object && add_errors(object, errors, i) && json_array_append_new(array, object) == 0;
    }
    if (written)
        return report_json_write(stream, "uskor.measurements/1", array);
    json_decref(array);
    return false;
}

bool report_json(FILE *stream, const struct measurement_list *list)
{
    return report_json_accuracy(stream, list, NULL);
}
