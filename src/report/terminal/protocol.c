#include <string.h>

#include "base/language.h"
#include "base/message.h"
#include "base/text.h"
#include "base/translation.h"
#include "report/model/command.h"
#include "report/model/rows.h"
#include "report/model/view.h"
#include "report/terminal/cells.h"
#include "report/terminal/cores.h"
#include "report/terminal/report.h"

/* What the transfers of a device took in the same runs; false on the cpu, where there are none. */
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
    char text[32];
    text_duration(nanoseconds, text, sizeof text);
    say_quantity(text, sizeof text);
    column_right(stream, text, 10);
}

static void print_problem(FILE *stream, const struct measurement *measurement, const struct measurement *first)
{
    struct summary rung = measurement_summary(measurement, PHASE_END_TO_END);
    fprintf(stream, "  %-34s", measurement->problem);
    if (!rung.count) {
        fprintf(stream, "  %s  %s\n", say_verdict(measurement->verdict), say_message(measurement->reason));
        return;
    }
    print_time(stream, rung.mean);
    print_time(stream, rung.deviation);
    double transfers;
    if (transfers_of(measurement, &transfers)) {
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
        snprintf(text, sizeof text, "  %10.3f ± %.3f", speed_up.value, speed_up.error);
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
    fputs(tr("  problem                                 mean         σ transfers  ratio  speed-up\n"), stream);
    for (size_t i = 0; i < list->count; i++) {
        if (!is_same(&list->items[i], of))
            continue;
        first = row_base(list, list->items[i].problem);
        print_problem(stream, &list->items[i], first);
        cores_add(&cores, &list->items[i]);
    }
    if (first && !is_same(first, of)) {
        const char *from = crossing(list, of);
        fprintf(stream, tr(from ? N_("  ahead of %s from %s on\n") : N_("  ahead of %s at none of these sizes%s\n")),
                first->rung, from ? from : "");
    }
    cores_print(stream, &cores, style);
}

void report_protocol(FILE *stream, const struct measurement_list *list, struct style style)
{
    for (size_t i = 0; i < list->count; i++) {
        bool is_first = list->items[i].kind != MEASURED_PROBE;
        for (size_t before = 0; before < i && is_first; before++)
            is_first = !is_same(&list->items[before], &list->items[i]);
        if (is_first)
            print_rung(stream, list, &list->items[i], style);
    }
    fputc('\n', stream);
    columns_note(stream, style, "%s",
                 tr("\n"
                    "  end-to-end times, from host memory to host memory; mean and sample standard deviation; the "
                    "speed-up is over the ladder's\n"
                    "  first rung, and its error (s₁·t + t₁·s) / t²; every element checked before and after the "
                    "timing.\n"
                    "  transfers: the mean of upload and download in the same runs, from and to pageable memory; "
                    "ratio: the end-to-end time over that.\n"));
}
