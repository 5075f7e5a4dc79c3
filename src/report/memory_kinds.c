/* One job with the host's memory of different kinds: a row for each. */
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "report/command.h"
#include "report/report.h"

static bool is_of_memory(const struct measurement *measurement)
{
    return strcmp(measurement->kernel, "memory") == 0;
}

static bool belong_together(const struct measurement *a, const struct measurement *b)
{
    return is_of_memory(a) && is_of_memory(b) && strcmp(a->problem, b->problem) == 0 &&
           strcmp(a->device, b->device) == 0 && a->run == b->run;
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
        if (belong_together(&list->items[i], of) && strcmp(list->items[i].rung, of->rung) == 0 &&
            strcmp(kind_of(&list->items[i]), "pageable") == 0)
            return &list->items[i];
    return NULL;
}

static void print_time(FILE *stream, double nanoseconds)
{
    char text[32];
    text_duration(nanoseconds, text, sizeof text);
    fprintf(stream, "%*s", 10 + (strstr(text, "µ") ? 1 : 0), text);
}

static void print_row(FILE *stream, const struct measurement_list *list, const struct measurement *measurement)
{
    fprintf(stream, "  %-18s %-10.10s", measurement->rung, kind_of(measurement));
    struct summary whole = measurement_summary(measurement, PHASE_WHOLE);
    if (measurement->verdict != VERDICT_PASS || whole.median <= 0) {
        fprintf(stream, "%s  %s\n", say_verdict(measurement->verdict), say_message(measurement->reason));
        return;
    }
    print_time(stream, whole.median);
    fprintf(stream, " ±%4.1f%%", 50 * (whole.quartile3 - whole.quartile1) / whole.median);
    static const enum phase parts[] = {PHASE_UPLOAD, PHASE_LAUNCH, PHASE_DOWNLOAD};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        print_time(stream, measurement_summary(measurement, parts[i]).median);
    const struct measurement *pageable = pageable_of(list, measurement);
    if (pageable && pageable->phases[PHASE_COMPUTE].count)
        fprintf(stream, "%11.2f×", measurement_ratio(measurement, pageable));
    else
        fprintf(stream, "%14s", "—");
    fprintf(stream, "%11.*f  PASS\n", measurement->work / whole.median >= 100 ? 0 : 3,
            measurement->work / whole.median);
}

static const char legend[] =
    "\n  whole: from inputs in host memory to results in host memory, by the host's clock; upload, compute and "
    "download "
    "are its parts.\n  managed: pages that the host wrote last travel when the device touches them (in compute), and "
    "back when the host reads one word\n  of each (download). mapped: the device reads and writes host memory over the "
    "bus (in compute). Checked before and after, every element.\n";

void report_memory_kinds(FILE *stream, const struct measurement_list *list, struct style style)
{
    const char *strong = style.colour ? "\033[1m" : "", *faint = style.colour ? "\033[2m" : "",
               *plain = style.colour ? "\033[0m" : "";
    bool any = false;
    for (size_t i = 0; i < list->count; i++) {
        const struct measurement *first = &list->items[i];
        bool is_first = is_of_memory(first);
        for (size_t j = 0; j < i && is_first; j++)
            is_first = !belong_together(&list->items[j], first);
        if (!is_first)
            continue;
        any = true;
        fprintf(stream, "\n%s%s%s\n\n%s%s — %s%s\n", strong, first->problem, plain, strong, first->device,
                first->device_name, plain);
        if (first->device_is_cpu)
            fprintf(stream, "  %sthe device's memory is the host's: what is copied is copied in memory%s\n", faint,
                    plain);
        fprintf(stream, "%s  %-18s %-10s%10s%7s%10s%10s%10s%12s%11s%s\n", faint, "rung", "memory", "whole", "±",
                "upload", "compute", "download", "× pageable", first->rate_unit, plain);
        for (size_t m = 0; m < list->count; m++)
            if (belong_together(&list->items[m], first))
                print_row(stream, list, &list->items[m]);
    }
    if (any)
        fprintf(stream, "%s%s%s", faint, legend, plain);
}
