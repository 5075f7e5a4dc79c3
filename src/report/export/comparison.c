/* A comparison for programs. */
#include <jansson.h>

#include <math.h>

#include "report/export/csv.h"
#include "report/export/json.h"
#include "report/terminal/comparison.h"

/* JSON and CSV have no word for infinity: null, and nothing. */
static json_t *number_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null(); /* an interval that has no end */
}

static json_t *pair_object(const struct compared *pair)
{
    const struct measurement *m = pair->a ? pair->a : pair->b;
    json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "problem", m->problem, "device", m->device,
                               "rung", m->rung, "parameters", m->parameters, "cache", m->cold ? "cold" : "hot",
                               "verdict", outcome_name(pair->outcome), "why", pair->why);
    if (object && pair->units_a) {
        json_t *figures = json_pack(
            "{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:s, s:o, s:o, s:o, s:o, s:b}", "phase",
            phase_name(pair->phase), "median_a", report_real(pair->time_a), "median_b", report_real(pair->time_b),
            "ratio", number_or_null(pair->is_void ? NAN : pair->ratio), "low",
            number_or_null(pair->is_void ? NAN : pair->low), "high", number_or_null(pair->is_void ? NAN : pair->high),
            "p", report_real(pair->p), "values_a", (json_int_t)pair->units_a, "values_b", (json_int_t)pair->units_b,
            "values_are", pair->units_are_runs ? "runs" : "rounds", "machine_low", report_real(pair->machine_low),
            "machine_high", report_real(pair->machine_high), "core_latency_a", report_real(pair->cores_a),
            "core_latency_b", report_real(pair->cores_b), "too_noisy", (int)pair->is_void);
        json_object_update(object, figures);
        json_decref(figures);
    }
    return object;
}

bool report_comparison_json(FILE *stream, const struct run_comparison *comparison,
                            const struct comparison_options *options)
{
    json_t *pairs = json_array();
    for (size_t i = 0; i < comparison->count; i++)
        json_array_append_new(pairs, pair_object(&comparison->items[i]));
    json_t *root = json_pack("{s:s, s:s, s:f, s:f, s:I, s:o}", "test", "Wilcoxon-Mann-Whitney, exact, two-sided",
                             "many", "Holm", "alpha", options->alpha, "least", options->least, "tests",
                             (json_int_t)comparison->tests, "pairs", pairs);
    return report_json_write(stream, "uskor.comparison/1", root);
}

bool report_comparison_csv(FILE *stream, const struct run_comparison *comparison)
{
    fputs("problem,device,rung,parameters,cache,verdict,why,median_a_ns,median_b_ns,ratio,low,high,p,values_a,values_b,"
          "values_are,machine_low,machine_high,phase,core_latency_a_ns,core_latency_b_ns,too_noisy\n",
          stream);
    for (size_t i = 0; i < comparison->count; i++) {
        const struct compared *pair = &comparison->items[i];
        const struct measurement *m = pair->a ? pair->a : pair->b;
        const char *const texts[] = {
            m->problem, m->device, m->rung, m->parameters, m->cold ? "cold" : "hot", outcome_name(pair->outcome),
            pair->why};
        for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
            csv_field(stream, texts[t]);
            fputc(',', stream);
        }
        if (!pair->units_a) {
            fputs(",,,,,,,,,,,,,,\n", stream);
            continue;
        }
        fprintf(stream, "%.9g,%.9g,", pair->time_a, pair->time_b);
        if (pair->is_void)
            fputs(",,,", stream);
        else
            fprintf(stream, "%.6g,%.6g,%.6g,", pair->ratio, pair->low, pair->high);
        fprintf(stream, "%.6g,%zu,%zu,%s,%.6g,%.6g,%s,%.4g,%.4g,%s\n", pair->p, pair->units_a, pair->units_b,
                pair->units_are_runs ? "runs" : "rounds", pair->machine_low, pair->machine_high,
                phase_name(pair->phase), pair->cores_a, pair->cores_b, pair->is_void ? "figure" : "");
    }
    return fflush(stream) == 0 && !ferror(stream);
}
