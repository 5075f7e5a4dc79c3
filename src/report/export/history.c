/* The history for programs. */
#include <jansson.h>

#include <inttypes.h>

#include "base/size.h"
#include "report/export/csv.h"
#include "report/export/json.h"
#include "report/terminal/history.h"
#include "store/noise.h"

static json_t *run_object(const struct store_run *run)
{
    return json_pack("{s:I, s:I, s:I, s:s, s:s, s:s, s:s, s:I, s:I}", "run", (json_int_t)run->id, "machine",
                     (json_int_t)run->machine, "started", (json_int_t)run->started, "key", run->key, "label",
                     run->label, "code_version", run->code_version, "command", run->command, "measurements",
                     (json_int_t)run->measurements, "wrong", (json_int_t)run->wrong);
}

bool report_runs_json(FILE *stream, const struct store_run_list *runs)
{
    json_t *array = json_array();
    for (size_t i = 0; i < runs->count; i++)
        json_array_append_new(array, run_object(&runs->items[i]));
    return report_json_write(stream, "uskor.runs/1", array);
}

bool report_runs_csv(FILE *stream, const struct store_run_list *runs)
{
    fputs("run,machine,started,key,label,code_version,measurements,wrong,command\n", stream);
    for (size_t i = 0; i < runs->count; i++) {
        const struct store_run *run = &runs->items[i];
        fprintf(stream, "%" PRId64 ",%" PRId64 ",%" PRId64 ",%s,", run->id, run->machine, run->started, run->key);
        csv_field(stream, run->label);
        fputc(',', stream);
        csv_field(stream, run->code_version);
        fprintf(stream, ",%zu,%zu,", run->measurements, run->wrong);
        csv_field(stream, run->command);
        fputc('\n', stream);
    }
    return fflush(stream) == 0 && !ferror(stream);
}

static const struct store_run *run_of(const struct store_run_list *runs, int64_t id)
{
    static const struct store_run none;
    for (size_t i = 0; i < runs->count; i++)
        if (runs->items[i].id == id)
            return &runs->items[i];
    return &none;
}

static json_t *measurement_object(const struct measurement *measurement, const struct store_run *run)
{
    struct summary time = measurement_summary(measurement, PHASE_COMPUTE);
    return json_pack(
        "{s:I, s:I, s:s, s:s, s:I, s:s, s:s, s:s, s:s, s:s, s:i, s:s, s:s, s:I, s:o, s:o, s:o, s:o, s:s, "
        "s:o, s:o, s:o, s:b}",
        "run", (json_int_t)measurement->run, "started", (json_int_t)run->started, "label", run->label, "code_version",
        measurement->code_version, "made_at", (json_int_t)measurement->made_at, "problem", measurement->problem,
        "device", measurement->device, "device_name", measurement->device_name, "rung", measurement->rung, "parameters",
        measurement->parameters, "threads", (int)measurement->threads, "cache", measurement->cold ? "cold" : "hot",
        "verdict", verdict_name(measurement->verdict), "samples", (json_int_t)time.count, "median",
        report_real(time.median), "quartile1", report_real(time.quartile1), "quartile3", report_real(time.quartile3),
        "rate",
        summary_is_void(&time) ? json_null() : report_real(time.median > 0 ? measurement->work / time.median : 0.0),
        "rate_unit", measurement->rate_unit, "core_latency", report_real(measurement->core_latency), "core_latency_low",
        report_real(measurement->core_latency_low), "core_latency_high", report_real(measurement->core_latency_high),
        "too_noisy", (int)summary_is_void(&time));
}

bool report_history_json(FILE *stream, const struct measurement_list *list, const struct store_run_list *runs)
{
    json_t *array = json_array();
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind != MEASURED_PROBE)
            json_array_append_new(array, measurement_object(&list->items[i], run_of(runs, list->items[i].run)));
    return report_json_write(stream, "uskor.history/1", array);
}

static void print_row(FILE *stream, const struct measurement *measurement, const struct store_run *run)
{
    struct summary time = measurement_summary(measurement, PHASE_COMPUTE);
    const char *const texts[] = {run->label,
                                 measurement->code_version,
                                 measurement->problem,
                                 measurement->device,
                                 measurement->device_name,
                                 measurement->rung,
                                 measurement->parameters,
                                 measurement->cold ? "cold" : "hot",
                                 verdict_name(measurement->verdict)};
    fprintf(stream, "%" PRId64 ",%" PRId64 ",%" PRId64 ",", measurement->run, run->started, measurement->made_at);
    csv_fields(stream, texts, COUNT_OF(texts));
    fprintf(stream, "%u,%zu,%.9g,%.9g,%.9g,", measurement->threads, time.count, time.median, time.quartile1,
            time.quartile3);
    if (!summary_is_void(&time))
        fprintf(stream, "%.9g", time.median > 0 ? measurement->work / time.median : 0.0);
    fputc(',', stream);
    csv_field(stream, measurement->rate_unit);
    fprintf(stream, ",%.4g,%.4g,%.4g,%s\n", measurement->core_latency, measurement->core_latency_low,
            measurement->core_latency_high, summary_is_void(&time) ? "figure" : "");
}

bool report_history_csv(FILE *stream, const struct measurement_list *list, const struct store_run_list *runs)
{
    fputs("run,started,made_at,label,code_version,problem,device,device_name,rung,parameters,cache,verdict,threads,"
          "samples,median_ns,quartile1_ns,quartile3_ns,rate,rate_unit,core_latency_ns,core_latency_low_ns,"
          "core_latency_high_ns,too_noisy\n",
          stream);
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind != MEASURED_PROBE)
            print_row(stream, &list->items[i], run_of(runs, list->items[i].run));
    return fflush(stream) == 0 && !ferror(stream);
}
