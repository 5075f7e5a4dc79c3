/* A job in parts on several queues: its forms beside the phases alone and the limit that they make. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "report/report.h"

static bool is_overlap(const struct measurement *measurement)
{
    return strcmp(measurement->kernel, "overlap") == 0;
}

static bool belong_together(const struct measurement *a, const struct measurement *b)
{
    return is_overlap(a) && is_overlap(b) && strcmp(a->problem, b->problem) == 0 && strcmp(a->device, b->device) == 0 &&
           a->run == b->run;
}

/* The number behind `name` ("queues=") in the parameters; 0 when there is none. */
static unsigned number_of(const struct measurement *measurement, const char *name)
{
    unsigned number = 0;
    const char *at = strstr(measurement->parameters, name);
    return at && sscanf(at + strlen(name), "%u", &number) == 1 ? number : 0;
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
        if (belong_together(&list->items[i], first) && number_of(&list->items[i], "queues=") == 1 &&
            number_of(&list->items[i], "parts=") == 1)
            return &list->items[i];
    return NULL;
}

static void describe(const struct measurement *measurement, char *text, size_t size)
{
    static const char *const phases[][2] = {{"copy-in", "copy in, alone"},
                                            {"compute", "compute, alone"},
                                            {"copy-out", "copy out, alone"},
                                            {"both-ways", "both copies at once"}};
    unsigned queues = number_of(measurement, "queues="), parts = number_of(measurement, "parts=");
    for (size_t i = 0; i < sizeof phases / sizeof phases[0]; i++)
        if (strcmp(measurement->rung, phases[i][0]) == 0) {
            snprintf(text, size, "%s", phases[i][1]);
            return;
        }
    if (queues == 1 && parts == 1)
        snprintf(text, size, "serial: one after another");
    else if (strstr(measurement->parameters, "by=phase"))
        snprintf(text, size, "a queue a phase, %u parts", parts);
    else if (queues)
        snprintf(text, size, "%u queue%s, %u parts", queues, queues == 1 ? "" : "s", parts);
    else
        snprintf(text, size, "%s", measurement->rung);
}

static void print_row(FILE *stream, const struct measurement_list *list, const struct measurement *measurement,
                      const struct measurement *limit, struct style style)
{
    const char *faint = style.colour ? "\033[2m" : "", *plain = style.colour ? "\033[0m" : "";
    char what[64], time[32];
    describe(measurement, what, sizeof what);
    bool is_phase = number_of(measurement, "queues=") == 0;
    fprintf(stream, "  %s%-26s", is_phase ? faint : "", what);
    struct summary summary = measurement_summary(measurement, PHASE_COMPUTE);
    if (measurement->verdict != VERDICT_PASS || summary.median <= 0) {
        fprintf(stream, "%s%s  %s\n", plain, verdict_name(measurement->verdict), measurement->reason);
        return;
    }
    text_duration(summary.median, time, sizeof time);
    int micro = strstr(time, "µ") ? 1 : 0; /* two bytes, one column */
    fprintf(stream, "%*s ±%4.1f%%", 9 + micro, time, 50 * (summary.quartile3 - summary.quartile1) / summary.median);
    const struct measurement *serial = serial_of(list, measurement);
    if (!is_phase && limit)
        fprintf(stream, "%9.1f%%", 100 * measurement_ratio(measurement, limit));
    if (!is_phase && serial && serial->phases[PHASE_COMPUTE].count)
        fprintf(stream, "%9.2f×", measurement_ratio(measurement, serial));
    if (!is_phase)
        fprintf(stream, "%11.*f  PASS", measurement->work / summary.median >= 100 ? 0 : 3,
                measurement->work / summary.median);
    fprintf(stream, "%s%s\n", measurement == limit ? "   the limit" : "", is_phase ? plain : "");
}

static void print_job(FILE *stream, const struct measurement_list *list, const struct measurement *first,
                      struct style style)
{
    const char *strong = style.colour ? "\033[1m" : "", *faint = style.colour ? "\033[2m" : "",
               *plain = style.colour ? "\033[0m" : "";
    const struct measurement *last = first;
    const struct measurement *limit = measurement_limit(list, first);
    char memory[16];
    for (size_t i = 0; i < list->count; i++)
        if (belong_together(&list->items[i], first) && number_of(&list->items[i], "queues="))
            last = &list->items[i]; /* it has the rung's own name */
    fprintf(stream, "\n%s%s%s\n\n%s%s — %s%s: %s, %s memory\n", strong, first->problem, plain, strong, first->device,
            first->device_name, plain, last->rung, memory_of(last, memory));
    if (first->device_is_cpu)
        fprintf(stream,
                "  %sthe device's memory is the host's, and both work on the same cores: little can overlap%s\n", faint,
                plain);
    fprintf(stream, "  %s%-26s%9s%7s%10s%10s%11s%s\n", faint, "", "median", "±", "of limit", "× serial",
            first->rate_unit, plain);
    for (size_t i = 0; i < list->count; i++)
        if (belong_together(&list->items[i], first))
            print_row(stream, list, &list->items[i], limit, style);
}

static const char legend[] =
    "\n  From host memory to host memory, by the host's clock. The limit is the longest of the whole job's three "
    "phases, "
    "each alone, in the\n  same rounds; both copies at once shows what the bus makes of the two directions together. "
    "Every form's result was checked before\n  and after the timing, every element.\n";

void report_overlap(FILE *stream, const struct measurement_list *list, struct style style)
{
    bool any = false;
    for (size_t i = 0; i < list->count; i++) {
        bool is_first = is_overlap(&list->items[i]);
        for (size_t j = 0; j < i && is_first; j++)
            is_first = !belong_together(&list->items[j], &list->items[i]);
        if (is_first)
            print_job(stream, list, &list->items[i], style);
        any = any || is_first;
    }
    if (any)
        fprintf(stream, "%s%s%s", style.colour ? "\033[2m" : "", legend, style.colour ? "\033[0m" : "");
}
