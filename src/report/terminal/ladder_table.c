#include <math.h>
#include <string.h>

#include "base/language.h"
#include "base/message.h"
#include "base/text.h"
#include "base/translation.h"
#include "report/model/command.h"
#include "report/model/rows.h"
#include "report/terminal/cells.h"
#include "report/terminal/cores.h"
#include "report/terminal/report.h"
#include "store/ceiling.h"

/* Terminal escapes, or nothing; and how wide the rungs' names and the ceiling's bar are. */
struct paint {
    const char *strong, *faint, *good, *bad, *plain;
    struct style style;
    int bar, names; /* columns */
};

#define WIDE 100
#define LEAST_NAME 11

static struct paint paint_for(struct style style)
{
    struct paint paint = {.strong = "", .faint = "", .good = "", .bad = "", .plain = ""};
    if (style.colour)
        paint = (struct paint){"\033[1m", "\033[2m", "\033[32m", "\033[31m", "\033[0m", {0}, 0, 0};
    paint.style = style;
    paint.bar = style.width >= WIDE ? 10 : 0;
    return paint;
}

/* A number in `width` columns; an em dash when there is none. */
static void print_number(FILE *stream, double value, int width, int decimals, const char *suffix)
{
    char text[64];
    snprintf(text, sizeof text, "%*.*f", width, decimals, value);
    if (value > 0)
        fprintf(stream, "%s%s", say_number(text), suffix);
    else
        fprintf(stream, "%*s%s", width + (int)strlen("—") - 1, "—", *suffix ? "  " : "");
}

/* Three significant digits. */
static int decimals_for(double value)
{
    return value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
}

static void print_bar(FILE *stream, double fraction, int width, struct paint paint)
{
    int filled = (int)lround((fraction > 1 ? 1 : fraction) * width);
    fprintf(stream, "%s", paint.good);
    for (int i = 0; i < filled; i++)
        fputs("█", stream);
    fprintf(stream, "%s%s", paint.plain, paint.faint);
    for (int i = filled; i < width; i++)
        fputs("░", stream);
    fputs(paint.plain, stream);
}

/* The last column of a row with PASS. */
static void print_end(FILE *stream, const struct measurement *measurement, struct paint paint)
{
    if (measurement->kind == MEASURED_PROBE)
        fprintf(stream, "  %s%s%s%s\n", tr("ceiling"), measurement->detail[0] ? ", " : "",
                say_message(measurement->detail), paint.plain);
    else
        fprintf(stream, "  %s%s%s  %s%s%s%s\n", paint.good, say_verdict(VERDICT_PASS), paint.plain,
                paint.bar ? measurement->parameters : "",
                paint.bar && measurement->parameters[0] && measurement->detail[0] ? ", " : "",
                say_message(measurement->detail), measurement->warnings[0] ? "  !" : "");
}

/* Noise voids the figure: no time, rate, share or speed-up is shown. */
static void print_void(FILE *stream, const struct row *row, bool show_whole, struct paint paint)
{
    char text[64];
    column_right(stream, tr("—, too noisy"), 16);
    fprintf(stream, "%*s", 9 + (paint.bar ? 8 + paint.bar : 9) + 10, "");
    if (show_whole) {
        fputs("  ", stream);
        text_duration(row->end_to_end, text, sizeof text);
        column_right(stream, row->end_to_end > 0 ? say_quantity(text, sizeof text) : "—", 9);
    }
    print_end(stream, row->measurement, paint);
}

/* The share of the ceiling with its bar, and the speed-up; what noise voids is a dash, and said. */
static void print_ratios(FILE *stream, const struct row *row, struct paint paint)
{
    const bool is_ceiling = row->measurement->kind == MEASURED_PROBE;
    const double share = is_ceiling ? 1 : row->of_ceiling;
    if (row->share_is_void && !is_ceiling && paint.bar) {
        column_right(stream, tr("—, too noisy"), 8 + paint.bar);
    } else {
        print_number(stream, 100 * share, paint.bar ? 6 : 7, 100 * share >= 999.95 ? 0 : 1, "% ");
        print_bar(stream, share, paint.bar, paint);
    }
    print_number(stream, row->speed_up, 9, decimals_for(row->speed_up), "×");
}

static void print_row(FILE *stream, const struct row *row, bool show_whole, struct paint paint)
{
    const struct measurement *measurement = row->measurement;
    char text[64];
    bool is_ceiling = measurement->kind == MEASURED_PROBE;
    fprintf(stream, "  %s", is_ceiling ? paint.faint : "");
    column_left(stream, measurement->rung, paint.names);
    if (measurement->verdict != VERDICT_PASS) {
        const char *colour = measurement->verdict == VERDICT_SKIP ? paint.faint : paint.bad;
        fprintf(stream, "%s%s  %s%s\n", colour, say_verdict(measurement->verdict), say_message(measurement->reason),
                paint.plain);
        return;
    }
    if (row->is_void) {
        print_void(stream, row, show_whole, paint);
        return;
    }
    text_duration(row->time.median, text, sizeof text);
    column_right(stream, say_quantity(text, sizeof text), 9);
    snprintf(text, sizeof text, " ±%4.*f%%", row->spread >= 0.9995 ? 0 : 1, 100 * row->spread);
    fputs(say_number(text), stream);
    print_number(stream, row->rate, 9, decimals_for(row->rate), "");
    print_ratios(stream, row, paint);
    if (show_whole) {
        fputs("  ", stream);
        text_duration(row->end_to_end, text, sizeof text);
        column_right(stream, row->end_to_end > 0 ? say_quantity(text, sizeof text) : "—", 9);
    }
    print_end(stream, measurement, paint);
}

static void print_head(FILE *stream, const struct measurement *first, const char *base, bool show_whole,
                       struct paint paint)
{
    char over[16];
    fprintf(stream, "\n%s%s — %s%s\n", paint.strong, first->device, first->device_name, paint.plain);
    if (first->device_is_cpu && strncmp(first->device, "opencl", 6) == 0)
        columns_note(stream, paint.style, "%s",
                     tr("OpenCL on a CPU: shows that the rungs are right; their order says nothing about a GPU"));
    fprintf(stream, "  %s", paint.faint);
    column_left(stream, tr("rung"), paint.names);
    column_right(stream, tr("median"), 9);
    column_right(stream, "±", 2);
    column_right(stream, say_unit(first->rate_unit), 14);
    column_right(stream, tr(paint.bar ? N_("of the ceiling") : N_("% ceiling")), paint.bar ? 7 + paint.bar : 8);
    snprintf(over, sizeof over, "× %.8s", base ? base : "");
    column_right(stream, over, 11);
    if (show_whole)
        column_right(stream, tr("end-to-end"), 11);
    fprintf(stream, "  %s%s\n", tr("verdict"), paint.plain);
}

/* Of the rungs of one problem on one device. */
static int widest_name(const struct measurement_list *list, const struct measurement *first)
{
    int width = LEAST_NAME;
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].problem, first->problem) == 0 && strcmp(list->items[i].device, first->device) == 0 &&
            column_width(list->items[i].rung) > width)
            width = column_width(list->items[i].rung);
    return width;
}

static bool has_warning(const struct measurement *measurement, const struct measurement *first)
{
    return measurement->warnings[0] && strcmp(measurement->problem, first->problem) == 0 &&
           strcmp(measurement->device, first->device) == 0;
}

/* Each warning once, after the names of all rungs that have it. */
static void print_warnings(FILE *stream, const struct measurement_list *list, const struct measurement *first,
                           struct paint paint)
{
    for (size_t i = 0; i < list->count; i++) {
        const char *warning = list->items[i].warnings;
        bool is_told = !has_warning(&list->items[i], first);
        for (size_t j = 0; j < i && !is_told; j++)
            is_told = has_warning(&list->items[j], first) && strcmp(list->items[j].warnings, warning) == 0;
        if (is_told)
            continue;
        fprintf(stream, "  %s! %s", paint.faint, list->items[i].rung);
        for (size_t j = i + 1; j < list->count; j++)
            if (has_warning(&list->items[j], first) && strcmp(list->items[j].warnings, warning) == 0)
                fprintf(stream, ", %s", list->items[j].rung);
        fprintf(stream, ": %s%s\n", say_message(warning), paint.plain);
    }
}

/* Names the rungs whose share or speed-up noise voids. */
static void print_voids(FILE *stream, const struct measurement_list *list, const struct measurement *first,
                        const struct measurement *base)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct measurement *measurement = &list->items[i];
        if (strcmp(measurement->problem, first->problem) != 0 || strcmp(measurement->device, first->device) != 0)
            continue;
        const struct row row = row_make(list, measurement, base);
        if (row.is_void || measurement->verdict != VERDICT_PASS ||
            !((row.share_is_void && measurement->kind != MEASURED_PROBE) || row.speed_up_is_void))
            continue;
        fprintf(stream, "%s%s", count++ ? ", " : "  ! ", measurement->rung);
    }
    if (count)
        fprintf(stream, ": —, %s\n", tr("too noisy to be held against the ceiling or the first rung"));
}

/* All rungs of one problem on one device. */
static void print_device(FILE *stream, const struct measurement_list *list, const struct measurement *first,
                         const struct measurement *base, struct paint paint)
{
    bool show_whole = false;
    struct cores_seen cores = {0};
    for (size_t i = 0; i < list->count; i++)
        show_whole = show_whole || (strcmp(list->items[i].device, first->device) == 0 &&
                                    list->items[i].phases[PHASE_END_TO_END].count);
    paint.names = widest_name(list, first) + 1;
    print_head(stream, first, base ? base->rung : NULL, show_whole, paint);
    for (size_t i = 0; i < list->count; i++) {
        const struct measurement *measurement = &list->items[i];
        if (strcmp(measurement->problem, first->problem) != 0 || strcmp(measurement->device, first->device) != 0)
            continue;
        struct row row = row_make(list, measurement, base);
        print_row(stream, &row, show_whole, paint);
        cores_add(&cores, measurement);
    }
    print_voids(stream, list, first, base);
    print_warnings(stream, list, first, paint);
    cores_print(stream, &cores, paint.style);
}

void report_legend(FILE *stream, const struct measurement_list *list, struct style style)
{
    if (!list->count)
        return;
    char bytes[48];
    const struct measurement *first = &list->items[0];
    bool uses_tensor_cores = false;
    for (size_t i = 0; i < list->count; i++)
        uses_tensor_cores = uses_tensor_cores || tensor_products_of(list->items[i].ceiling);
    text_bytes(first->bytes, bytes, sizeof bytes);
    fputc('\n', stream);
    columns_note(stream, style,
                 tr("  median of all samples, ± half the distance between the quartiles; bytes: the least bytes an "
                    "answer must move (%s:\n"
                    "  every input read once, every output written once) over the median; ceiling: the slowest probe "
                    "that moves as many bytes,\n"
                    "  or does as much arithmetic, in the same rounds (kept: measured before, and seen again now: "
                    "docs/ceilings.md);\n"
                    "  %s; every element checked before and after the timing."),
                 say_quantity(bytes, sizeof bytes),
                 tr(first->cold ? N_("cold: caches are flushed before every run")
                                : N_("hot: runs follow each other over the same arrays")));
    if (uses_tensor_cores)
        columns_note(stream, style, "%s",
                     tr("  A rung on tensor cores is held against those: tensor-N is their probe, with N multiply-adds "
                        "of bfloat16 for each of\n"
                        "  the problem's; the other rungs are held against ordinary units, fma."));
}

static bool is_first_of(const struct measurement_list *list, size_t index, bool per_device)
{
    const struct measurement *measurement = &list->items[index];
    for (size_t i = 0; i < index; i++)
        if (strcmp(list->items[i].problem, measurement->problem) == 0 &&
            (!per_device || strcmp(list->items[i].device, measurement->device) == 0))
            return false;
    return true;
}

void report_tables_from(FILE *stream, const struct measurement_list *list, size_t begin, struct style style)
{
    struct paint paint = paint_for(style);
    for (size_t i = begin; i < list->count; i++) {
        const struct measurement *first = &list->items[i];
        if (is_first_of(list, i, false))
            fprintf(stream, "\n%s%s%s\n", paint.strong, first->problem, paint.plain);
        if (is_first_of(list, i, true))
            print_device(stream, list, first, row_base(list, first->problem), paint);
    }
}

void report_tables(FILE *stream, const struct measurement_list *list, struct style style)
{
    report_tables_from(stream, list, 0, style);
    report_legend(stream, list, style);
}

enum status report_verdict(const struct measurement_list *list)
{
    bool passed = false;
    for (size_t i = 0; i < list->count; i++) {
        const struct measurement *measurement = &list->items[i];
        if (measurement->kind == MEASURED_PROBE)
            continue;
        if (measurement->verdict == VERDICT_FAIL || measurement->verdict == VERDICT_ERROR)
            return STATUS_FAILED;
        passed = passed || measurement->verdict == VERDICT_PASS;
    }
    return passed ? STATUS_OK : STATUS_UNAVAILABLE;
}
