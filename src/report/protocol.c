#include <string.h>

#include "base/text.h"
#include "report/report.h"
#include "report/rows.h"

/* Errors add as the publication adds them: (s_first t + t_first s) / t². */
struct speed_up {
    double value, error;
};

static struct speed_up speed_up_of(const struct summary *first, const struct summary *rung)
{
    double squared = rung->mean * rung->mean;
    return (struct speed_up){
        .value = first->mean / rung->mean,
        .error = (first->deviation * rung->mean + first->mean * rung->deviation) / squared,
    };
}

static bool is_same(const struct measurement *a, const struct measurement *b)
{
    return strcmp(a->kernel, b->kernel) == 0 && strcmp(a->rung, b->rung) == 0 && strcmp(a->device, b->device) == 0;
}

static void print_time(FILE *stream, double nanoseconds)
{
    char text[32];
    text_duration(nanoseconds, text, sizeof text);
    int columns = 0;
    for (const char *at = text; *at; at++)
        columns += ((unsigned char)*at & 0xC0) != 0x80;
    fprintf(stream, "%*s%s", columns < 10 ? 10 - columns : 0, "", text);
}

static void print_problem(FILE *stream, const struct measurement *measurement, const struct measurement *first)
{
    struct summary rung = measurement_summary(measurement, PHASE_WHOLE);
    fprintf(stream, "  %-34s", measurement->problem);
    if (!rung.count) {
        fprintf(stream, "  %s  %s\n", verdict_name(measurement->verdict), measurement->reason);
        return;
    }
    print_time(stream, rung.mean);
    print_time(stream, rung.deviation);
    if (first && !is_same(first, measurement)) {
        struct summary base = measurement_summary(first, PHASE_WHOLE);
        struct speed_up speed_up = speed_up_of(&base, &rung);
        fprintf(stream, "  %10.3f ± %.3f", speed_up.value, speed_up.error);
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
        struct summary rung = measurement_summary(measurement, PHASE_WHOLE),
                       base = measurement_summary(first, PHASE_WHOLE);
        bool ahead = rung.count && base.count && rung.mean < base.mean;
        from = !ahead ? NULL : from ? from : measurement->problem;
    }
    return from;
}

static void print_rung(FILE *stream, const struct measurement_list *list, const struct measurement *of,
                       struct style style)
{
    const struct measurement *first = NULL;
    fprintf(stream, "\n%s%s on %s — %s%s\n  %-34s%10s%10s  speed-up\n", style.colour ? "\033[1m" : "", of->rung,
            of->device, of->device_name, style.colour ? "\033[0m" : "", "problem", "mean", "σ");
    for (size_t i = 0; i < list->count; i++) {
        if (!is_same(&list->items[i], of))
            continue;
        first = row_base(list, list->items[i].problem);
        print_problem(stream, &list->items[i], first);
    }
    if (first && !is_same(first, of)) {
        const char *from = crossing(list, of);
        fprintf(stream, "  ahead of %s from %s on\n", first->rung, from ? from : "none of these sizes");
    }
}

void report_protocol(FILE *stream, const struct measurement_list *list, struct style style)
{
    for (size_t i = 0; i < list->count; i++) {
        bool is_first = list->items[i].kind != MEASURED_LIMIT;
        for (size_t before = 0; before < i && is_first; before++)
            is_first = !is_same(&list->items[before], &list->items[i]);
        if (is_first)
            print_rung(stream, list, &list->items[i], style);
    }
    fputs("\n  whole times, from host memory to host memory; mean and sample standard deviation; the speed-up is over "
          "the ladder's first\n"
          "  rung, and its error (s₁·t + t₁·s) / t²; every element checked before and after the timing.\n",
          stream);
}
