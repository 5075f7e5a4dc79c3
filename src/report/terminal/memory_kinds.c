/* One job with the host's memory of different kinds: a row for each. */
#include <stdio.h>
#include <string.h>

#include "base/language.h"
#include "base/message.h"
#include "base/size.h"
#include "base/text.h"
#include "base/translation.h"
#include "report/model/command.h"
#include "report/model/figures.h"
#include "report/model/heading.h"
#include "report/model/rows.h"
#include "report/terminal/cells.h"
#include "report/terminal/folded.h"
#include "report/terminal/report.h"

#define NAME_WIDTH 14
#define WIDE 100 /* columns in which all figures have a place */
#define SPREAD 1 /* its place among the heads */

static bool is_of_memory(const struct measurement *measurement)
{
    return strcmp(measurement->kernel, "memory") == 0;
}

static const char *kind_of(const struct measurement *measurement)
{
    const char *at = strstr(measurement->parameters, "memory=");
    return at ? at + strlen("memory=") : "";
}

/* The same rung with pageable memory. */
static const struct measurement *pageable_of(const struct measurement_list *list, const struct measurement *of)
{
    for (size_t i = 0; i < list->count; i++)
        if (measured_together(&list->items[i], of) && strcmp(list->items[i].rung, of->rung) == 0 &&
            strcmp(kind_of(&list->items[i]), "pageable") == 0)
            return &list->items[i];
    return NULL;
}

static void print_time(FILE *stream, double nanoseconds)
{
    char text[32];
    text_duration(nanoseconds, text, sizeof text);
    column_right(stream, say_quantity(text, sizeof text), 10);
}

static void print_row(FILE *stream, const struct measurement_list *list, const struct measurement *measurement,
                      struct style style)
{
    fputs("  ", stream);
    column_left(stream, measurement->rung, NAME_WIDTH);
    fprintf(stream, " %-11.11s", kind_of(measurement));
    struct summary end_to_end = measurement_summary(measurement, PHASE_END_TO_END);
    if (measurement->verdict != VERDICT_PASS || end_to_end.median <= 0) {
        fprintf(stream, "%s  %s\n", say_verdict(measurement->verdict), say_message(measurement->reason));
        return;
    }
    if (summary_is_void(&end_to_end)) {
        fprintf(stream, "%s\n", tr("—, too noisy"));
        return;
    }
    print_time(stream, end_to_end.median);
    if (style.width >= WIDE)
        column_number(stream, " ±%4.1f%%", 50 * (end_to_end.quartile3 - end_to_end.quartile1) / end_to_end.median);
    static const enum phase parts[] = {PHASE_UPLOAD, PHASE_LAUNCH, PHASE_DOWNLOAD};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        print_time(stream, measurement_summary(measurement, parts[i]).median);
    const struct measurement *pageable = pageable_of(list, measurement);
    const double ratio = figures_ratio(measurement, pageable).value;
    if (ratio > 0)
        column_number(stream, "%11.2f×", ratio);
    else
        fprintf(stream, "%14s", "—");
    if (style.width >= WIDE)
        column_number(stream, measurement->work / end_to_end.median >= 100 ? "%13.0f" : "%13.3f",
                      measurement->work / end_to_end.median);
    fprintf(stream, "%s\n", measurement->warnings[0] ? "  !" : "");
}

static void print_heads(FILE *stream, const struct measurement *first, struct style style)
{
    static const struct {
        const char *title;
        int width;
    } heads[] = {{N_("end-to-end"), 10}, {N_("±"), 7},         {N_("upload"), 10},
                 {N_("compute"), 10},    {N_("download"), 10}, {N_("× pageable"), 12}};
    columns_print(stream, "  <*<11", NAME_WIDTH + 1, tr("rung"), tr("memory"));
    for (size_t i = 0; i < COUNT_OF(heads); i++)
        if (i != SPREAD || style.width >= WIDE)
            column_right(stream, tr(heads[i].title), heads[i].width);
    if (style.width >= WIDE)
        column_right(stream, say_unit(first->rate_unit), 13);
}

void report_memory_kinds(FILE *out, const struct measurement_list *list, struct style style)
{
    FILE *stream = folded_begin(out, style);
    bool any = false;
    for (size_t i = 0; i < list->count; i++) {
        const struct measurement *first = &list->items[i];
        if (!is_of_memory(first) || !is_first_alike(list, i, measured_together))
            continue;
        any = true;
        char title[HEADING_BYTES];
        fprintf(stream, "\n%s%s%s\n\n%s%s — %s%s\n", strong(style), problem_title(first->problem, title), plain(style),
                strong(style), first->device, first->device_name, plain(style));
        if (first->device_is_cpu)
            fprintf(stream, "  %s%s%s\n", faint(style), tr("the device's memory is the host's: copies stay within it"),
                    plain(style));
        fputs(faint(style), stream);
        print_heads(stream, first, style);
        fprintf(stream, "%s\n", plain(style));
        for (size_t m = 0; m < list->count; m++)
            if (measured_together(&list->items[m], first))
                print_row(stream, list, &list->items[m], style);
    }
    if (any) {
        fputc('\n', stream);
        columns_note(stream, style, "%s",
                     tr("End-to-end: host memory to host memory, by the host's clock; upload, compute and download are "
                        "its parts. "
                        "More: uskor help bench"));
    }
    folded_end(stream, out);
}
