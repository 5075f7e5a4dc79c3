#include <math.h>
#include <string.h>

#include "base/language.h"
#include "base/message.h"
#include "base/text.h"
#include "base/translation.h"
#include "report/model/command.h"
#include "report/model/heading.h"
#include "report/model/rows.h"
#include "report/model/view.h"
#include "report/terminal/cells.h"
#include "report/terminal/cores.h"
#include "report/terminal/folded.h"
#include "report/terminal/report.h"

/* The times of a device's transfers in the same runs; false on the cpu, which has none. */
static bool transfers_of(const struct measurement *measurement, double *mean)
{
    *mean = measurement_summary(measurement, PHASE_UPLOAD).mean + measurement_summary(measurement, PHASE_DOWNLOAD).mean;
    return strcmp(measurement->device, "cpu") != 0 && *mean > 0;
}

static bool is_same(const struct measurement *a, const struct measurement *b)
{
    return strcmp(a->kernel, b->kernel) == 0 && strcmp(a->rung, b->rung) == 0 && strcmp(a->device, b->device) == 0;
}

static void print_time(FILE *stream, double nanoseconds)
{
    char text[32] = "—";
    if (!isnan(nanoseconds)) {
        text_duration(nanoseconds, text, sizeof text);
        say_quantity(text, sizeof text);
    }
    column_right(stream, text, 10);
}

/* How wide the problems are, and whether the transfers have columns. */
struct columns {
    int problem;
    bool has_transfers;
};

static struct columns columns_of(const struct measurement_list *list, const struct measurement *of)
{
    struct columns shown = {.problem = column_width(tr("problem"))};
    for (size_t i = 0; i < list->count; i++) {
        char title[HEADING_BYTES];
        double transfers;
        if (!is_same(&list->items[i], of))
            continue;
        int own = column_width(problem_title_of_kernel(list->items[i].problem, of->kernel, title));
        shown.problem = own > shown.problem ? own : shown.problem;
        shown.has_transfers = shown.has_transfers || transfers_of(&list->items[i], &transfers);
    }
    return shown;
}

static void print_heads(FILE *stream, struct columns shown)
{
    columns_print(stream, "  <*>10>10", shown.problem, tr("problem"), tr("mean"), "σ");
    if (shown.has_transfers) {
        column_right(stream, tr("transfers"), 10);
        column_right(stream, tr("ratio"), 7);
    }
    column_right(stream, tr("speed-up"), 12);
    fputc('\n', stream);
}

static void print_problem(FILE *stream, const struct measurement *measurement, const struct measurement *first,
                          struct columns shown)
{
    char title[HEADING_BYTES];
    struct summary rung = measurement_summary(measurement, PHASE_END_TO_END);
    fputs("  ", stream);
    column_left(stream, problem_title_of_kernel(measurement->problem, measurement->kernel, title), shown.problem);
    if (!rung.count) {
        fprintf(stream, "  %s  %s\n", say_verdict(measurement->verdict), say_message(measurement->reason));
        return;
    }
    print_time(stream, rung.mean);
    print_time(stream, rung.deviation);
    double transfers;
    if (!shown.has_transfers) {
        ; /* no column for them */
    } else if (transfers_of(measurement, &transfers)) {
        print_time(stream, transfers);
        char ratio[32];
        snprintf(ratio, sizeof ratio, "%7.2f", rung.mean / transfers);
        fputs(say_number(ratio), stream);
    } else {
        fprintf(stream, "%10s%7s", "", "");
    }
    if (first && !is_same(first, measurement)) {
        struct summary base = measurement_summary(first, PHASE_END_TO_END);
        struct speed_up speed_up = speed_up_of(&base, &rung);
        char text[64];
        snprintf(text, sizeof text, "  %10.3f", speed_up.value);
        if (!isnan(speed_up.error))
            text_append(text, sizeof text, " ± %.3f", speed_up.error);
        fputs(say_number(text), stream);
    }
    fputc('\n', stream);
}

/* The first problem from which on the rung is ahead of the first one at every size; NULL when it is not at the last. */
static const char *crossing(const struct measurement_list *list, const struct measurement *of)
{
    const char *from = NULL;
    for (size_t i = 0; i < list->count; i++) {
        const struct measurement *measurement = &list->items[i];
        const struct measurement *first = row_base(list, measurement->problem);
        if (!is_same(measurement, of) || !first)
            continue;
        struct summary rung = measurement_summary(measurement, PHASE_END_TO_END),
                       base = measurement_summary(first, PHASE_END_TO_END);
        bool ahead = rung.count && base.count && rung.mean < base.mean;
        from = !ahead ? NULL : from ? from : measurement->problem;
    }
    return from;
}

static void print_rung(FILE *stream, const struct measurement_list *list, const struct measurement *of,
                       struct style style)
{
    const struct measurement *first = NULL;
    struct cores_seen cores = {0};
    fputs(style.colour ? "\n\033[1m" : "\n", stream);
    fprintf(stream, tr("%s on %s — %s"), of->rung, of->device, of->device_name);
    fputs(style.colour ? "\033[0m\n" : "\n", stream);
    const struct columns shown = columns_of(list, of);
    print_heads(stream, shown);
    for (size_t i = 0; i < list->count; i++) {
        if (!is_same(&list->items[i], of))
            continue;
        first = row_base(list, list->items[i].problem);
        print_problem(stream, &list->items[i], first, shown);
        cores_add(&cores, &list->items[i]);
    }
    if (first && !is_same(first, of)) {
        char title[HEADING_BYTES];
        const char *from = crossing(list, of);
        fprintf(stream,
                tr(from ? N_("  faster than %s from %s on\n") : N_("  faster than %s at none of these sizes%s\n")),
                first->rung, from ? problem_title(from, title) : "");
    }
    cores_print(stream, &cores, style);
}

void report_protocol(FILE *out, const struct measurement_list *list, struct style style)
{
    FILE *stream = folded_begin(out, style);
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind != MEASURED_PROBE && is_first_alike(list, i, is_same))
            print_rung(stream, list, &list->items[i], style);
    fputc('\n', stream);
    columns_note(stream, style, "%s",
                 tr("End-to-end times: mean, sample standard deviation, speed-up over the ladder's first rung; every "
                    "element checked. More: uskor help bench"));
    folded_end(stream, out);
}
