#include "cli/commands/ranks_table.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "base/message.h"
#include "base/text.h"
#include "base/translation.h"
#include "report/terminal/cells.h"
#include "report/terminal/report.h"
#include "store/noise.h"

#define RANKS_PREDICTED 4096

const struct link *ranks_report_link(const struct ranks_report *report, const struct method *method)
{
    return method->by_nccl ? &report->nccl_link : method->resident ? NULL : &report->link;
}

enum status ranks_report_begin(struct ranks_report *report, const struct problem *problem, struct error *error)
{
    (void)error;
    report->problem = *problem;
    report->count = 0;
    return STATUS_OK;
}

bool ranks_report_add(struct ranks_report *report, const struct ranks_row *row)
{
    struct ranks_row *rows = realloc(report->rows, (report->count + 1) * sizeof *rows);
    if (!rows)
        return false;
    report->rows = rows;
    rows[report->count++] = *row;
    return true;
}

void ranks_report_end(struct ranks_report *report)
{
    free(report->rows);
    report->rows = NULL;
    report->count = 0;
}

static const char *verdict_of(const struct distributed_result *result)
{
    switch (result->verdict) {
    case STATUS_OK:
        return "PASS";
    case STATUS_FAILED:
        return "FAIL";
    case STATUS_UNAVAILABLE:
        return "SKIP";
    default:
        return "ERROR";
    }
}

static double rate(const struct ranks_report *report, double nanoseconds)
{
    return nanoseconds > 0 ? report->problem.kernel->work(&report->problem) / nanoseconds : 0;
}

/* ---- for people ---- */

static void print_time(FILE *stream, double nanoseconds)
{
    char text[32] = "—";
    if (nanoseconds > 0)
        say_quantity((text_duration(nanoseconds, text, sizeof text), text), sizeof text);
    column_right(stream, text, 10);
}

static void print_number(FILE *stream, const char *format, double value, int width)
{
    char text[32] = "—";
    if (value > 0)
        snprintf(text, sizeof text, format, value);
    column_right(stream, say_number(text), width);
}

/* 0 where one of them is none, or void. */
static double over(double time, double median)
{
    return median > 0 ? time / median : 0;
}

static void print_row(FILE *stream, const struct ranks_report *report, const struct ranks_row *row)
{
    const struct distributed_result *result = &row->result;
    double median = summary_figure(&result->time);
    double spread = median > 0 ? (result->time.quartile3 - result->time.quartile1) / 2 / median : 0;
    fputs("  ", stream);
    column_left(stream, row->method->name, 11);
    print_number(stream, "%.0f", row->count, 6);
    if (!result->time.count) {
        fprintf(stream, "  %s  %s\n", verdict_of(result), say_message(result->reason));
        return;
    }
    if (median > 0) {
        print_time(stream, median);
        print_number(stream, " ±%4.1f%%", 100 * spread, 8);
    } else {
        column_right(stream, tr("—, too noisy"), 10 + 8);
    }
    print_number(stream, "%.3g", rate(report, median), 10);
    print_number(stream, "%.2f×", over(row->alone, median), 8);
    print_number(stream, "%.0f%%", 100 * result->communication, 6);
    print_time(stream, row->predicted);
    print_number(stream, "%.2f×", over(row->predicted, median), 8);
    fprintf(stream, "  %s", verdict_of(result));
    if (result->verdict != STATUS_OK)
        fprintf(stream, "  %s", say_message(result->reason));
    fputc('\n', stream);
}

static void print_heads(FILE *stream, const struct ranks_report *report)
{
    fputs("  ", stream);
    column_left(stream, tr("method"), 11);
    column_right(stream, tr("ranks"), 6);
    column_right(stream, tr("median"), 10);
    column_right(stream, "±", 8);
    column_right(stream, say_unit(report->problem.kernel->rate_unit), 10);
    column_right(stream, tr("× alone"), 8);
    column_right(stream, "MPI", 6);
    column_right(stream, tr("predicted"), 10);
    column_right(stream, tr("of it"), 8);
    fprintf(stream, "  %s\n", tr("verdict"));
}

/* What the model expects of ranks that are not here. NCCL's link leads to the devices of this host. */
static void print_predictions(FILE *stream, const struct ranks_report *report, const struct ranks_row *last)
{
    if (last->alone <= 0 || report->link.latency <= 0 || last->method->resident)
        return;
    for (int count = 4; count <= RANKS_PREDICTED; count *= 4) {
        if (count <= report->world ||
            (last->method->refuses && last->method->refuses(&report->problem, count, (char[256]){0}, 256)))
            continue;
        double predicted = cost_predict(last->method, &report->problem, count, last->alone, &report->link);
        fputs("  ", stream);
        column_left(stream, last->method->name, 11);
        print_number(stream, "%.0f", count, 6);
        column_right(stream, "", 10 + 8);
        print_number(stream, "%.3g", rate(report, predicted), 10);
        print_number(stream, "%.2f×", last->alone / predicted, 8);
        column_right(stream, "", 6);
        print_time(stream, predicted);
        fprintf(stream, "%8s  %s\n", "", tr("predicted only"));
    }
}

/* Whether all groups that were right ended with the same bits; false where there is one only. */
static bool same_bits(const struct ranks_report *report, bool *differ)
{
    const struct ranks_row *first = NULL;
    size_t compared = 0;
    *differ = false;
    for (size_t i = 0; i < report->count; i++) {
        const struct ranks_row *row = &report->rows[i];
        if (row->result.verdict != STATUS_OK)
            continue;
        *differ = *differ || (first && memcmp(first->result.digest, row->result.digest, SHA256_BYTES) != 0);
        first = first ? first : row;
        compared++;
    }
    return compared > 1;
}

static void print_notes(FILE *stream, const struct ranks_report *report, struct style style)
{
    char latency[32], rate[32];
    bool differ;
    if (same_bits(report, &differ))
        fprintf(stream, "  %s\n",
                differ ? tr("results differ in their last bits from one number of ranks to another")
                       : tr("the same bits on every number of ranks"));
    snprintf(rate, sizeof rate, "%.3g", report->nccl_link.bytes_per_second / 1e9);
    if (report->nccl_link.latency > 0)
        columns_note(
            stream, style,
            tr("NCCL: %s, %s GB/s that each rank receives when all exchange with all, measured; for predictions of "
               "methods that use it"),
            say_quantity((text_duration(report->nccl_link.latency, latency, sizeof latency), latency), sizeof latency),
            say_number(rate));
    snprintf(rate, sizeof rate, "%.3g", report->link.bytes_per_second / 1e9);
    if (report->link.latency > 0)
        columns_note(
            stream, style,
            tr("link: %s, %s GB/s between rank 0 and the last, measured; predicted: one rank's "
               "time × its part + messages × latency + bytes / bandwidth"),
            say_quantity((text_duration(report->link.latency, latency, sizeof latency), latency), sizeof latency),
            say_number(rate));
    columns_note(stream, style, "%s",
                 tr("time: the slowest rank's; data lie dealt out before and after; MPI: the part spent in it; every "
                    "element checked"));
}

static void print_table(const struct ranks_report *report, FILE *stream)
{
    char heading[PROBLEM_TEXT_MAX];
    struct style style = style_for(stream);
    fprintf(stream, "\n%s\n\n", problem_heading(&report->problem, heading));
    fprintf(stream, tr("%s, %s, %d ranks, %d threads each"), report->device->id, ranks_version(), report->world,
            report->threads);
    fputc('\n', stream);
    print_heads(stream, report);
    for (size_t i = 0; i < report->count; i++) {
        const struct ranks_row *row = &report->rows[i];
        print_row(stream, report, row);
        if (i + 1 == report->count || report->rows[i + 1].method != row->method)
            print_predictions(stream, report, row);
    }
    print_notes(stream, report, style);
}

/* ---- for programs ---- */

static json_t *row_json(const struct ranks_report *report, const struct ranks_row *row)
{
    const struct distributed_result *result = &row->result;
    const bool is_void = summary_is_void(&result->time);
    json_t *samples = json_array(), *object = json_object();
    for (size_t i = 0; i < result->time.count; i++)
        json_array_append_new(samples, json_real(result->samples[i]));
    json_object_set_new(object, "method", json_string(row->method->name));
    json_object_set_new(object, "ranks", json_integer(row->count));
    json_object_set_new(object, "verdict", json_string(verdict_of(result)));
    json_object_set_new(object, "reason", json_string(result->reason));
    json_object_set_new(object, "median_ns", result->time.count ? json_real(result->time.median) : json_null());
    json_object_set_new(object, "rate", is_void ? json_null() : json_real(rate(report, result->time.median)));
    json_object_set_new(object, "too_noisy", json_boolean(is_void));
    json_object_set_new(object, "mpi_share", json_real(result->communication));
    json_object_set_new(object, "predicted_ns", row->predicted > 0 ? json_real(row->predicted) : json_null());
    json_object_set_new(object, "samples_ns", samples);
    return object;
}

static void print_json(const struct ranks_report *report, FILE *stream)
{
    char text[PROBLEM_TEXT_MAX];
    bool differ;
    json_t *rows = json_array(), *object = json_object();
    for (size_t i = 0; i < report->count; i++)
        json_array_append_new(rows, row_json(report, &report->rows[i]));
    json_object_set_new(object, "problem", json_string(problem_text(&report->problem, text)));
    json_object_set_new(object, "device", json_string(report->device->id));
    json_object_set_new(object, "mpi", json_string(ranks_version()));
    json_object_set_new(object, "threads", json_integer(report->threads));
    json_object_set_new(object, "rate_unit", json_string(report->problem.kernel->rate_unit));
    json_object_set_new(object, "latency_ns", json_real(report->link.latency));
    json_object_set_new(object, "bytes_per_second", json_real(report->link.bytes_per_second));
    json_object_set_new(object, "nccl_latency_ns", json_real(report->nccl_link.latency));
    json_object_set_new(object, "nccl_bytes_per_second", json_real(report->nccl_link.bytes_per_second));
    json_object_set_new(object, "same_bits", same_bits(report, &differ) ? json_boolean(!differ) : json_null());
    json_object_set_new(object, "rows", rows);
    json_dumpf(object, stream, JSON_INDENT(2));
    fputc('\n', stream);
    json_decref(object);
}

void ranks_report_print(const struct ranks_report *report, FILE *stream, bool json)
{
    if (json)
        print_json(report, stream);
    else
        print_table(report, stream);
    fflush(stream);
}
