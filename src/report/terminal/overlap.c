/* A job in parts on several queues: its forms beside the phases alone and the ceiling that they make. */
#include <stdio.h>
#include <string.h>

#include "base/language.h"
#include "base/message.h"
#include "base/text.h"
#include "base/translation.h"
#include "report/model/command.h"
#include "report/model/figures.h"
#include "report/model/heading.h"
#include "report/model/rows.h"
#include "report/terminal/cells.h"
#include "report/terminal/folded.h"
#include "report/terminal/report.h"

#define FORM_WIDTH 28
#define WIDE 100 /* columns in which all figures have a place */

static bool is_overlap(const struct measurement *measurement)
{
    return strcmp(measurement->kernel, "overlap") == 0;
}

/* "pinned"; empty when the parameters do not say. */
static const char *memory_of(const struct measurement *measurement, char text[16])
{
    const char *at = strstr(measurement->parameters, "memory=");
    text[0] = 0;
    if (at)
        sscanf(at, "memory=%15s", text);
    return text;
}

static const struct measurement *serial_of(const struct measurement_list *list, const struct measurement *first)
{
    for (size_t i = 0; i < list->count; i++)
        if (measured_together(&list->items[i], first) && parameter_of(&list->items[i], "queues=") == 1 &&
            parameter_of(&list->items[i], "parts=") == 1)
            return &list->items[i];
    return NULL;
}

/* The ceiling, or what the bus makes of both directions at once where that takes longer. */
static const struct measurement *both_of(const struct measurement_list *list, const struct measurement *ceiling)
{
    for (size_t i = 0; ceiling && i < list->count; i++) {
        const struct measurement *both = &list->items[i];
        if (measured_together(both, ceiling) && strcmp(both->rung, "both-ways") == 0 &&
            measurement_summary(both, PHASE_COMPUTE).median > measurement_summary(ceiling, PHASE_COMPUTE).median)
            return both;
    }
    return ceiling;
}

static void describe(const struct measurement *measurement, char *text, size_t size)
{
    static const struct {
        const char *rung;
        const char *title;
    } phases[] = {{"copy-in", N_("copy in, alone")},
                  {"compute", N_("compute, alone")},
                  {"copy-out", N_("copy out, alone")},
                  {"both-ways", N_("both copies at once")}};
    unsigned queues = parameter_of(measurement, "queues="), parts = parameter_of(measurement, "parts=");
    for (size_t i = 0; i < sizeof phases / sizeof phases[0]; i++)
        if (strcmp(measurement->rung, phases[i].rung) == 0) {
            snprintf(text, size, "%s", tr(phases[i].title));
            return;
        }
    if (queues == 1 && parts == 1)
        snprintf(text, size, "%s", tr("serial: one after another"));
    else if (strstr(measurement->parameters, "by=phase"))
        snprintf(text, size, tr("a queue a phase, %u parts"), parts);
    else if (queues)
        snprintf(text, size, tr_plural("%u queue, %u parts", "%u queues, %u parts", queues), queues, parts);
    else
        snprintf(text, size, "%s", measurement->rung);
}

/* A share or speed-up in `width` columns; a dash where noise voids it. */
__attribute__((format(printf, 2, 0))) static void print_ratio(FILE *stream, const char *format, int width, double unit,
                                                              struct measured_ratio ratio)
{
    if (ratio.is_void)
        column_right(stream, width > 13 ? tr("—, too noisy") : "—", width);
    else
        column_number(stream, format, unit * ratio.value);
}

static void print_row(FILE *stream, const struct measurement_list *list, const struct measurement *measurement,
                      const struct measurement *ceiling, struct style style)
{
    char what[64];
    describe(measurement, what, sizeof what);
    bool is_phase = parameter_of(measurement, "queues=") == 0;
    fprintf(stream, "  %s", is_phase ? faint(style) : "");
    column_left(stream, what, FORM_WIDTH);
    struct summary summary = measurement_summary(measurement, PHASE_COMPUTE);
    if (measurement->verdict != VERDICT_PASS || summary.median <= 0) {
        fprintf(stream, "%s%s  %s\n", plain(style), say_verdict(measurement->verdict),
                say_message(measurement->reason));
        return;
    }
    column_time(stream, summary.median, 9);
    if (style.width >= WIDE)
        column_number(stream, " ±%4.1f%%", 50 * (summary.quartile3 - summary.quartile1) / summary.median);
    const struct measurement *serial = serial_of(list, measurement), *both = both_of(list, ceiling);
    if (!is_phase && ceiling)
        print_ratio(stream, "%13.1f%%", 14, 100, figures_ratio(measurement, ceiling));
    if (!is_phase && both)
        print_ratio(stream, "%9.1f%%", 10, 100, figures_ratio(measurement, both));
    if (!is_phase && serial && serial->phases[PHASE_COMPUTE].count)
        print_ratio(stream, "%9.2f×", 10, 1, figures_ratio(measurement, serial));
    if (!is_phase && style.width < WIDE)
        fputs("  ", stream);
    if (!is_phase && style.width >= WIDE)
        column_number(stream, measurement->work / summary.median >= 100 ? "%11.0f  " : "%11.3f  ",
                      measurement->work / summary.median);
    if (!is_phase)
        fputs(say_verdict(VERDICT_PASS), stream);
    fprintf(stream, "%s%s\n", measurement == ceiling ? tr("   the ceiling") : "", is_phase ? plain(style) : "");
}

static void print_job(FILE *stream, const struct measurement_list *list, const struct measurement *first,
                      struct style style)
{
    const struct measurement *last = first;
    const struct measurement *ceiling;
    figures_share(list, first, &ceiling);
    char memory[16], title[HEADING_BYTES];
    for (size_t i = 0; i < list->count; i++)
        if (measured_together(&list->items[i], first) && parameter_of(&list->items[i], "queues="))
            last = &list->items[i]; /* it has the rung's own name */
    fprintf(stream, "\n%s%s%s\n\n%s%s — %s%s: ", strong(style), problem_title(first->problem, title), plain(style),
            strong(style), first->device, first->device_name, plain(style));
    fprintf(stream, tr("%s, %s memory\n"), last->rung, memory_of(last, memory));
    if (first->device_is_cpu)
        fprintf(stream, "  %s%s%s\n", faint(style),
                tr("the device's memory is the host's, and both work on the same cores: little can overlap"),
                plain(style));
    fprintf(stream, "  %s%*s", faint(style), FORM_WIDTH, "");
    column_right(stream, tr("median"), 9);
    if (style.width >= WIDE)
        column_right(stream, "±", 7);
    columns_print(stream, ">14>10>10", tr("of ceiling"), tr("of both"), tr("× serial"));
    if (style.width >= WIDE)
        column_right(stream, say_unit(first->rate_unit), 11);
    fprintf(stream, "%s\n", plain(style));
    for (size_t i = 0; i < list->count; i++)
        if (measured_together(&list->items[i], first))
            print_row(stream, list, &list->items[i], ceiling, style);
}

void report_overlap(FILE *out, const struct measurement_list *list, struct style style)
{
    FILE *stream = folded_begin(out, style);
    bool any = false;
    for (size_t i = 0; i < list->count; i++) {
        if (!is_overlap(&list->items[i]) || !is_first_alike(list, i, measured_together))
            continue;
        print_job(stream, list, &list->items[i], style);
        any = true;
    }
    if (any) {
        fputc('\n', stream);
        columns_note(
            stream, style, "%s",
            tr("The ceiling is the longest of the three phases, each timed alone in the same rounds; every element "
               "checked. More: uskor help overlap"));
    }
    folded_end(stream, out);
}
