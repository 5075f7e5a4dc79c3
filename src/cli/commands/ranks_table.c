#include "cli/commands/ranks_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/growing.h"
#include "base/language.h"
#include "base/message.h"
#include "base/text.h"
#include "base/translation.h"
#include "lab/bench/describe.h"
#include "report/model/figure_text.h"
#include "report/terminal/cells.h"
#include "report/terminal/report.h"
#include "store/noise.h"

#define RANKS_PREDICTED 4096

void ranks_report_begin(struct ranks_report *report, const struct problem *problem)
{
    report->problem = *problem;
    report->count = 0;
}

bool ranks_report_add(struct ranks_report *report, const struct ranks_row *row)
{
    if (!array_grow(&report->rows, report->count, sizeof *report->rows))
        return false;
    report->rows[report->count++] = *row;
    return true;
}

void ranks_report_end(struct ranks_report *report)
{
    free(report->rows);
    report->rows = NULL;
    report->count = 0;
}

const char *ranks_verdict(const struct ranks_row *row)
{
    return verdict_name(row->result.verdict == STATUS_OK ? VERDICT_PASS : verdict_of(row->result.verdict));
}

double ranks_rate(const struct ranks_row *row, double nanoseconds)
{
    return nanoseconds > 0 ? row->problem.kernel->work(&row->problem) / nanoseconds : 0;
}

/* ---- for people ---- */

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

/* How many times one rank's work per time this is. */
static double times_alone(const struct ranks_report *report, const struct ranks_row *row, double time)
{
    return over(row->alone, time) * (report->weak ? row->count : 1);
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
        fprintf(stream, "  %s  %s\n", ranks_verdict(row), say_message(result->reason));
        return;
    }
    if (median > 0) {
        column_time(stream, median, 10);
        print_number(stream, " ±%4.1f%%", 100 * spread, 8);
    } else {
        column_right(stream, tr("—, too noisy"), 10 + 8);
    }
    column_right(stream, figure_number(ranks_rate(row, median)).text, 10);
    print_number(stream, "%.2f×", times_alone(report, row, median), 8);
    print_number(stream, "%.0f%%", 100 * result->communication, 6);
    column_time(stream, row->predicted, 10);
    print_number(stream, "%.2f×", over(row->predicted, median), 8);
    fprintf(stream, "  %s", ranks_verdict(row));
    if (result->verdict != STATUS_OK)
        fprintf(stream, "  %s", say_message(result->reason));
    fputc('\n', stream);
}

static void print_heads(FILE *stream, const struct ranks_report *report)
{
    columns_print(stream, "  <11>6>10>8>10>8>6>10>8  %\n", tr("method"), tr("ranks"), tr("median"), "±",
                  say_unit(report->problem.kernel->rate_unit), tr("× alone"), "MPI", tr("predicted"), tr("of it"),
                  tr("verdict"));
}

/* What the model expects of ranks that are not here: on more hosts, each with as many ranks. NCCL's link leads to the
 * devices of this host. */
static void print_predictions(FILE *stream, const struct ranks_report *report, const struct ranks_row *last)
{
    if (last->parts <= 0 || last->links->ranks < 2 || last->method->by_nccl || report->weak)
        return;
    for (int count = 4; count <= RANKS_PREDICTED; count *= 4) {
        if (count <= report->world ||
            (last->method->refuses && last->method->refuses(&report->problem, count, (char[256]){0}, 256)))
            continue;
        double predicted =
            cost_predict(last->method, &report->problem, count, last->parts, last->parts_count, last->links);
        fputs("  ", stream);
        column_left(stream, last->method->name, 11);
        print_number(stream, "%.0f", count, 6);
        column_right(stream, "", 10 + 8);
        column_right(stream, figure_number(ranks_rate(last, predicted)).text, 10);
        print_number(stream, "%.2f×", over(last->alone, predicted), 8);
        column_right(stream, "", 6);
        column_time(stream, predicted, 10);
        fprintf(stream, "%8s  %s\n", "", tr("predicted only"));
    }
}

bool ranks_same_bits(const struct ranks_report *report, bool *differ)
{
    const struct ranks_row *first = NULL;
    size_t compared = 0;
    *differ = false;
    for (size_t i = 0; i < report->count && !report->weak; i++) {
        const struct ranks_row *row = &report->rows[i];
        if (row->result.verdict != STATUS_OK)
            continue;
        *differ = *differ || (first && memcmp(first->result.digest, row->result.digest, SHA256_BYTES) != 0);
        first = first ? first : row;
        compared++;
    }
    return compared > 1;
}

/* "near 1.2 µs, 3.4 GB/s": an empty message, and the rate of the longest that was measured. */
static void append_link(char *text, size_t size, const struct links *links, enum mpi_operation operation,
                        const char *name)
{
    char latency[32];
    const double *ns = links->ns[operation];
    text_append(text, size, "%s%s %s, %s GB/s", *text ? "; " : "", name,
                say_quantity((text_duration(ns[0], latency, sizeof latency), latency), sizeof latency),
                figure_number((double)link_sizes[LINK_SIZES - 1] / ns[LINK_SIZES - 1]).text);
}

static void print_links(FILE *stream, const struct links *links, struct style style)
{
    char text[512] = "", progress[16];
    append_link(text, sizeof text, links, OPERATION_NEAR, tr("to the next rank"));
    append_link(text, sizeof text, links, OPERATION_FAR, tr("half of the ranks away"));
    append_link(text, sizeof text, links, OPERATION_EXCHANGE, tr("all with all"));
    append_link(text, sizeof text, links, OPERATION_RING, tr("to both neighbours"));
    snprintf(progress, sizeof progress, "%.0f", 100 * links->progress);
    columns_note(stream, style,
                 tr("links, all ranks at once, at most %d on a host: %s; %s %% of a message travels while "
                    "ranks compute"),
                 links->on_host, text, progress);
}

static void print_notes(FILE *stream, const struct ranks_report *report, struct style style)
{
    bool differ;
    if (ranks_same_bits(report, &differ))
        fprintf(stream, "  %s\n",
                differ ? tr("results differ in their last bits from one number of ranks to another")
                       : tr("the same bits on every number of ranks"));
    if (report->nccl_links) {
        char text[128] = "";
        append_link(text, sizeof text, report->nccl_links, OPERATION_EXCHANGE, tr("all with all"));
        columns_note(stream, style, tr("NCCL: %s; for predictions of methods that use it"), text);
    }
    if (report->links->ranks > 1)
        print_links(stream, report->links, style);
    columns_note(stream, style, "%s",
                 tr("time: the slowest rank's; data lie dealt out before and after; MPI: the part spent in it; "
                    "predicted: the time of the parts when nothing travels, and of MPI's operations by the links; "
                    "every element checked. More: docs/many-machines.md"));
}

void ranks_report_print(const struct ranks_report *report, FILE *stream)
{
    char heading[PROBLEM_TEXT_MAX];
    struct style style = style_for(stream);
    fprintf(stream, "\n%s%s\n\n", problem_heading(&report->problem, heading),
            report->weak ? tr(", for each rank") : "");
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
    fflush(stream);
}
