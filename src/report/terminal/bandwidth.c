/* How fast data travels: a row for each size, a column for each way. */
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "base/message.h"
#include "base/size.h"
#include "base/text.h"
#include "base/translation.h"
#include "report/model/command.h"
#include "report/model/figures.h"
#include "report/terminal/cells.h"
#include "report/terminal/folded.h"
#include "report/terminal/report.h"

#define CELL_WIDTH 9

/* The fields of a measurement's problem. */
struct subject {
    char what[16], memory[16]; /* "to-device", "pinned"; memory empty where there is none */
    size_t bytes;
};

static bool read_subject(const struct measurement *measurement, struct subject *subject)
{
    unsigned long long bytes = 0;
    subject->memory[0] = 0;
    if (strcmp(measurement->kernel, "bandwidth") != 0 ||
        sscanf(measurement->problem, "bandwidth:%15[^,],bytes=%llu,%15s", subject->what, &bytes, subject->memory) < 2)
        return false;
    subject->bytes = (size_t)bytes;
    return true;
}

static const struct column {
    const char *what, *memory, *rung;
    const char *title;
} columns[] = {
    {"to-device", "pageable", "driver", N_("pageable")},
    {"to-device", "pageable", "ring", N_("ring")},
    {"to-device", "pinned", "queue", N_("pinned")},
    {"from-device", "pageable", "driver", N_("pageable")},
    {"from-device", "pageable", "ring", N_("ring")},
    {"from-device", "pinned", "queue", N_("pinned")},
    {"both", "pageable", "driver", N_("pageable")},
    {"both", "pinned", "queue", N_("pinned")},
    {"copy", "", "copy", N_("copy")},
    {"read", "", "read", N_("read")},
};

/* Columns side by side. */
struct span {
    size_t begin, end;
};

static const struct {
    const char *title;
    int columns;
} groups[] = {{N_("to the device"), 3}, {N_("from the device"), 3}, {N_("both at once"), 2}, {N_("on the device"), 2}};

/* The newest measurement of a device, size, way and means; NULL when there is none. */
static const struct measurement *find(const struct measurement_list *list, const char *device,
                                      const struct column *column, size_t bytes)
{
    struct subject subject;
    for (size_t i = list->count; i-- > 0;)
        if (strcmp(list->items[i].device, device) == 0 && strcmp(list->items[i].rung, column->rung) == 0 &&
            read_subject(&list->items[i], &subject) && subject.bytes == bytes &&
            strcmp(subject.what, column->what) == 0 && strcmp(subject.memory, column->memory) == 0)
            return &list->items[i];
    return NULL;
}

static void print_cell(FILE *stream, double value, const char *otherwise)
{
    char text[32];
    snprintf(text, sizeof text, "%.*f", value >= 99.95 ? 0 : value >= 9.995 ? 1 : value >= 0.9995 ? 2 : 3, value);
    column_right(stream, value > 0 ? say_number(text) : otherwise, CELL_WIDTH);
}

static const char *word_of(const struct measurement *measurement)
{
    return measurement && measurement->verdict != VERDICT_PASS ? say_verdict(measurement->verdict) : "—";
}

static void print_size(FILE *stream, const struct measurement_list *list, const char *device, size_t bytes,
                       struct span span)
{
    char text[32];
    text_bytes((double)bytes, text, sizeof text);
    fputs("  ", stream);
    column_right(stream, say_quantity(text, sizeof text), CELL_WIDTH);
    for (size_t c = span.begin; c < span.end; c++) {
        const struct measurement *measurement = find(list, device, &columns[c], bytes);
        print_cell(stream, figures_rate(measurement), word_of(measurement));
    }
    fputc('\n', stream);
}

/* The best of each column, and what share of the computed ceiling it is. Within the device small sizes stay in its
 * caches, so the share is that of the largest size. */
static void print_best(FILE *stream, const struct measurement_list *list, const char *device, struct span span,
                       struct style style)
{
    double best[COUNT_OF(columns)] = {0}, share[COUNT_OF(columns)] = {0};
    size_t largest[COUNT_OF(columns)] = {0};
    const char *ceiling_name = NULL;
    for (size_t i = 0; i < list->count; i++) {
        struct subject subject;
        const struct measurement *measurement = &list->items[i];
        if (strcmp(measurement->device, device) != 0 || !read_subject(measurement, &subject))
            continue;
        for (size_t c = span.begin; c < span.end; c++) {
            if (find(list, device, &columns[c], subject.bytes) != measurement)
                continue;
            const bool is_best = figures_rate(measurement) > best[c], in_device = !*columns[c].memory;
            best[c] = is_best ? figures_rate(measurement) : best[c];
            if (in_device ? subject.bytes < largest[c] : !is_best)
                continue;
            const struct measurement *ceiling;
            largest[c] = subject.bytes;
            share[c] = 100 * figures_share(list, measurement, &ceiling).value;
            if (ceiling && !in_device)
                ceiling_name = ceiling->rung;
        }
    }
    fprintf(stream, "%s  ", strong(style));
    column_right(stream, tr("best"), CELL_WIDTH);
    for (size_t c = span.begin; c < span.end; c++)
        print_cell(stream, best[c], "—");
    fprintf(stream, "%s\n", plain(style));
    bool any = false;
    for (size_t c = span.begin; c < span.end; c++)
        any = any || share[c] > 0;
    if (!any)
        return;
    fputs("  ", stream);
    column_right(stream, tr("% of bus"), CELL_WIDTH);
    for (size_t c = span.begin; c < span.end; c++)
        print_cell(stream, share[c], "—");
    if (ceiling_name)
        fprintf(stream, "  %s", ceiling_name);
    fputc('\n', stream);
}

/* Copies that carry next to nothing: each call waited for. */
static void print_latency(FILE *stream, const struct measurement_list *list, const char *device, size_t bytes)
{
    static const struct column calls[] = {
        {"to-device", "pageable", "driver", N_("to the device, pageable")},
        {"to-device", "pinned", "call", N_("pinned")},
        {"from-device", "pageable", "driver", N_("from it, pageable")},
        {"from-device", "pinned", "call", N_("pinned")},
    };
    char size[32], time[32];
    text_bytes((double)bytes, size, sizeof size);
    fprintf(stream, tr("  latency of a copy of %s:"), say_quantity(size, sizeof size));
    bool first = true;
    for (size_t c = 0; c < COUNT_OF(calls); c++) {
        const struct measurement *call = find(list, device, &calls[c], bytes);
        double median = call && !measurement_is_void(call) ? measurement_summary(call, PHASE_COMPUTE).median : 0;
        text_duration(median, time, sizeof time);
        if (median > 0)
            fprintf(stream, "%s %s %s", first ? "" : ",", tr(calls[c].title), say_quantity(time, sizeof time));
        first = first && median <= 0;
    }
    fputc('\n', stream);
}

/* Each reason once. */
static void print_reasons(FILE *stream, const struct measurement_list *list, const char *device)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct measurement *measurement = &list->items[i];
        struct subject subject;
        bool told = measurement->verdict == VERDICT_PASS || strcmp(measurement->device, device) != 0 ||
                    !read_subject(measurement, &subject);
        for (size_t j = 0; j < i && !told; j++)
            told =
                strcmp(list->items[j].reason, measurement->reason) == 0 && strcmp(list->items[j].device, device) == 0;
        if (!told)
            fprintf(stream, "  %s (%s, %s): %s\n", say_verdict(measurement->verdict), measurement->problem,
                    measurement->rung, say_message(measurement->reason));
    }
}

static int compare_sizes(const void *a, const void *b)
{
    size_t left = *(const size_t *)a, right = *(const size_t *)b;
    return (left > right) - (left < right);
}

#define SIZES_MAX 64

static size_t sizes_of(const struct measurement_list *list, const char *device, size_t sizes[SIZES_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        struct subject subject;
        if (strcmp(list->items[i].device, device) != 0 || !read_subject(&list->items[i], &subject))
            continue;
        bool known = count == SIZES_MAX;
        for (size_t s = 0; s < count; s++)
            known = known || sizes[s] == subject.bytes;
        if (!known)
            sizes[count++] = subject.bytes;
    }
    qsort(sizes, count, sizeof *sizes, compare_sizes);
    return count;
}

/* The heads of some groups of columns. */
static void print_block(FILE *stream, size_t from, size_t to, struct span span, struct style style)
{
    fprintf(stream, "%s%s  ", from > 0 ? "\n" : "", faint(style));
    column_right(stream, say_unit("GB/s"), CELL_WIDTH);
    for (size_t g = from; g < to; g++)
        column_right(stream, tr(groups[g].title), CELL_WIDTH * groups[g].columns);
    fputs("\n  ", stream);
    column_right(stream, tr("size"), CELL_WIDTH);
    for (size_t c = span.begin; c < span.end; c++)
        column_right(stream, tr(columns[c].title), CELL_WIDTH);
    fprintf(stream, "%s\n", plain(style));
}

static void print_device(FILE *stream, const struct measurement_list *list, const struct measurement *first,
                         struct style style)
{
    size_t sizes[SIZES_MAX], count = sizes_of(list, first->device, sizes);
    fprintf(stream, "\n%s%s — %s%s\n", strong(style), first->device, first->device_name, plain(style));
    if (first->device_is_cpu)
        fprintf(stream, "  %s%s%s\n", faint(style),
                tr("the device's memory is the host's: every figure is that of a copy in memory"), plain(style));
    size_t group = 0;
    for (size_t column = 0; group < COUNT_OF(groups);) {
        const size_t from = group;
        struct span span = {column, column};
        while (group < COUNT_OF(groups) &&
               (group == from ||
                2 + CELL_WIDTH * (int)(1 + span.end - span.begin + (size_t)groups[group].columns) <= style.width))
            span.end += (size_t)groups[group++].columns;
        print_block(stream, from, group, span, style);
        for (size_t s = 0; s < count; s++)
            print_size(stream, list, first->device, sizes[s], span);
        print_best(stream, list, first->device, span, style);
        column = span.end;
    }
    if (count)
        print_latency(stream, list, first->device, sizes[0]);
    print_reasons(stream, list, first->device);
}

void report_bandwidth(FILE *out, const struct measurement_list *list, struct style style)
{
    FILE *stream = folded_begin(out, style);
    bool any = false;
    for (size_t i = 0; i < list->count; i++) {
        struct subject subject;
        bool is_first = read_subject(&list->items[i], &subject);
        for (size_t j = 0; j < i && is_first; j++)
            is_first =
                strcmp(list->items[j].device, list->items[i].device) != 0 || !read_subject(&list->items[j], &subject);
        if (is_first)
            print_device(stream, list, &list->items[i], style);
        any = any || is_first;
    }
    if (any) {
        fputc('\n', stream);
        columns_note(stream, style, "%s",
                     tr("GB/s: 10^9 bytes per second, medians; every byte compared before and after the timing. More: "
                        "uskor help "
                        "bandwidth"));
    }
    folded_end(stream, out);
}
