#include <math.h>
#include <string.h>

#include "base/language.h"
#include "base/message.h"
#include "base/translation.h"
#include "report/model/command.h"
#include "report/model/figure_text.h"
#include "report/model/heading.h"
#include "report/model/rows.h"
#include "report/terminal/cells.h"
#include "report/terminal/cores.h"
#include "report/terminal/counters.h"
#include "report/terminal/folded.h"
#include "report/terminal/report.h"

/* How wide the rungs' names and the ceiling's bar are; and which columns are shown. */
struct paint {
    struct style style;
    int bar, names; /* columns */
    bool shows_end_to_end, shows_spread, shows_speed_up;
};

#define WIDE 100
#define LEAST_NAME 11
#define MEDIAN_WIDTH 9
#define SPREAD_WIDTH 7
#define RATE_WIDTH 9
#define SHARE_WIDTH 9 /* and its bar's */
#define SPEED_UP_WIDTH 10
#define END_TO_END_WIDTH 11
#define VERDICT_ROOM 10 /* with the space before it */

static struct paint paint_for(struct style style)
{
    return (struct paint){
        .style = style, .bar = style.width >= WIDE ? 10 : 0, .shows_spread = true, .shows_speed_up = true};
}

static int share_width(struct paint paint)
{
    return SHARE_WIDTH + paint.bar;
}

/* Columns up to the verdict, and it. */
static int row_width(struct paint paint)
{
    return 2 + paint.names + MEDIAN_WIDTH + (paint.shows_spread ? SPREAD_WIDTH : 0) + RATE_WIDTH + share_width(paint) +
           (paint.shows_speed_up ? SPEED_UP_WIDTH : 0) + (paint.shows_end_to_end ? END_TO_END_WIDTH : 0) + VERDICT_ROOM;
}

/* Leaves out what the width has no place for: the spread, the time from end to end, the speed-up. */
static struct paint fit(struct paint paint)
{
    if (row_width(paint) > paint.style.width)
        paint.bar = 0;
    if (row_width(paint) > paint.style.width)
        paint.shows_spread = false;
    if (row_width(paint) > paint.style.width)
        paint.shows_end_to_end = false;
    if (row_width(paint) > paint.style.width)
        paint.shows_speed_up = false;
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
        fprintf(stream, "%*s%*s", width + (int)strlen("—") - 1, "—", column_width(suffix), "");
}

static void print_bar(FILE *stream, double fraction, int width, struct paint paint)
{
    int filled = (int)lround((fraction > 1 ? 1 : fraction) * width);
    fprintf(stream, "%s", good(paint.style));
    for (int i = 0; i < filled; i++)
        fputs("█", stream);
    fprintf(stream, "%s%s", plain(paint.style), faint(paint.style));
    for (int i = filled; i < width; i++)
        fputs("░", stream);
    fputs(plain(paint.style), stream);
}

/* The last column of a row with PASS. */
static void print_end(FILE *stream, const struct measurement *measurement, struct paint paint)
{
    if (measurement->kind == MEASURED_PROBE)
        fprintf(stream, "  %s%s%s%s\n", tr("ceiling"), paint.bar && measurement->detail[0] ? ", " : "",
                paint.bar ? say_message(measurement->detail) : "", plain(paint.style));
    else
        fprintf(stream, "  %s%s%s%s%s%s%s%s\n", good(paint.style), say_verdict(VERDICT_PASS), plain(paint.style),
                paint.bar && *measurement->parameters ? "  " : "", paint.bar ? measurement->parameters : "",
                paint.bar && *measurement->detail ? "  " : "", paint.bar ? say_message(measurement->detail) : "",
                measurement->warnings[0] ? "  !" : "");
}

static void print_end_to_end(FILE *stream, const struct row *row, struct paint paint)
{
    if (paint.shows_end_to_end)
        column_time(stream, row->end_to_end, END_TO_END_WIDTH);
}

/* Noise voids the figure: no time, rate, share or speed-up is shown. */
static void print_void(FILE *stream, const struct row *row, struct paint paint)
{
    column_right(stream, tr("—, too noisy"), MEDIAN_WIDTH + (paint.shows_spread ? SPREAD_WIDTH : RATE_WIDTH));
    fprintf(stream, "%*s",
            (paint.shows_spread ? RATE_WIDTH : 0) + share_width(paint) + (paint.shows_speed_up ? SPEED_UP_WIDTH : 0),
            "");
    print_end_to_end(stream, row, paint);
    print_end(stream, row->measurement, paint);
}

/* Three significant digits, and one decimal at least where there is room for it. */
static int decimals_of_percent(double percent)
{
    const int decimals = figure_decimals(percent, 4);
    return decimals == 0 && percent < 999.95 ? 1 : decimals;
}

/* The share of the ceiling with its bar, and the speed-up; what noise voids is a dash, and said. */
static void print_ratios(FILE *stream, const struct row *row, struct paint paint)
{
    const bool is_ceiling = row->measurement->kind == MEASURED_PROBE;
    const double share = is_ceiling ? 1 : row->of_ceiling;
    if (row->share_is_void && !is_ceiling && paint.bar) {
        column_right(stream, tr("—, too noisy"), share_width(paint));
    } else {
        print_number(stream, 100 * share, share_width(paint) - paint.bar - 2, decimals_of_percent(100 * share), "% ");
        print_bar(stream, share, paint.bar, paint);
    }
    if (paint.shows_speed_up)
        print_number(stream, row->speed_up, SPEED_UP_WIDTH - 1, figure_decimals(row->speed_up, SPEED_UP_WIDTH - 5),
                     "×");
}

static void print_row(FILE *stream, const struct row *row, struct paint paint)
{
    const struct measurement *measurement = row->measurement;
    char text[64];
    bool is_ceiling = measurement->kind == MEASURED_PROBE;
    fprintf(stream, "  %s", is_ceiling ? faint(paint.style) : "");
    column_left(stream, measurement->rung, paint.names);
    if (measurement->verdict != VERDICT_PASS) {
        const char *colour = measurement->verdict == VERDICT_SKIP ? faint(paint.style) : bad(paint.style);
        fprintf(stream, "%s%s  %s%s\n", colour, say_verdict(measurement->verdict), say_message(measurement->reason),
                plain(paint.style));
        return;
    }
    if (row->is_void) {
        print_void(stream, row, paint);
        return;
    }
    column_time(stream, row->time.median, MEDIAN_WIDTH);
    if (row->time.count > 1)
        snprintf(text, sizeof text, " ±%4.*f%%", row->spread >= 0.9995 ? 0 : 1, 100 * row->spread);
    else
        snprintf(text, sizeof text, " ±   —%*s", 1, ""); /* a single run has no spread */
    fputs(paint.shows_spread ? say_number(text) : "", stream);
    print_number(stream, row->rate, RATE_WIDTH, figure_decimals(row->rate, RATE_WIDTH - 4), "");
    print_ratios(stream, row, paint);
    print_end_to_end(stream, row, paint);
    print_end(stream, measurement, paint);
}

static void print_head(FILE *stream, const struct measurement *first, const char *base, struct paint paint)
{
    char over[64];
    fprintf(stream, "\n%s%s — %s%s\n", strong(paint.style), first->device, first->device_name, plain(paint.style));
    if (first->device_is_cpu && strncmp(first->device, "opencl", 6) == 0)
        columns_note(stream, paint.style, "%s",
                     tr("OpenCL on a CPU: shows that the rungs are right; their order says nothing about a GPU"));
    columns_print(stream, "  %<*>*", faint(paint.style), paint.names, tr("rung"), MEDIAN_WIDTH, tr("median"));
    if (paint.shows_spread)
        column_left(stream, " ±", SPREAD_WIDTH);
    column_right(stream, say_unit(first->rate_unit), RATE_WIDTH);
    column_right(stream, tr(paint.bar ? N_("% of the ceiling") : N_("ceiling")), share_width(paint) - 1);
    if (paint.shows_speed_up) {
        snprintf(over, sizeof over, "× %s", base ? base : "");
        column_right(stream, column_width(over) <= SPEED_UP_WIDTH ? over : tr("× first"), SPEED_UP_WIDTH + 1);
    } else {
        fputc(' ', stream);
    }
    if (paint.shows_end_to_end)
        column_right(stream, tr("end-to-end"), END_TO_END_WIDTH);
    fprintf(stream, "  %s%s\n", tr("verdict"), plain(paint.style));
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

static bool is_of_table(const struct measurement *measurement, const struct measurement *first)
{
    return strcmp(measurement->problem, first->problem) == 0 && strcmp(measurement->device, first->device) == 0;
}

/* Which rungs a remark is about. */
struct remark {
    const struct measurement_list *list;
    const struct measurement *first; /* of the table */
    bool (*is_about)(const struct remark *, const struct measurement *);
    const char *warning;
    const struct measurement *base;
};

/* Rows of a sweep have one name. */
static bool is_named_before(const struct remark *remark, size_t index)
{
    const struct measurement *items = remark->list->items;
    for (size_t i = 0; i < index; i++)
        if (strcmp(items[i].rung, items[index].rung) == 0 && is_of_table(&items[i], remark->first) &&
            remark->is_about(remark, &items[i]))
            return true;
    return false;
}

/* "  ! naive, tiled: ", or "  ! all rungs: " where it is all that have a figure. False, and nothing is printed, where
 * it is none. */
static bool print_names(FILE *stream, const struct remark *remark)
{
    size_t about = 0, figures = 0, named = 0;
    const struct measurement_list *list = remark->list;
    for (size_t i = 0; i < list->count; i++) {
        bool is_rung = is_of_table(&list->items[i], remark->first) && list->items[i].kind != MEASURED_PROBE;
        figures += is_rung && list->items[i].verdict == VERDICT_PASS;
        about += is_rung && remark->is_about(remark, &list->items[i]);
    }
    bool is_all = about == figures && figures > 1;
    if (is_all)
        fprintf(stream, "  ! %s: ", tr("all rungs"));
    for (size_t i = 0; i < list->count && !is_all; i++)
        if (is_of_table(&list->items[i], remark->first) && remark->is_about(remark, &list->items[i]) &&
            !is_named_before(remark, i))
            fprintf(stream, "%s%s", named++ ? ", " : "  ! ", list->items[i].rung);
    fputs(named ? ": " : "", stream);
    return is_all || named;
}

static bool has_the_warning(const struct remark *remark, const struct measurement *measurement)
{
    return strcmp(measurement->warnings, remark->warning) == 0;
}

/* Each warning once, after the names of all rungs that have it. */
static void print_warnings(FILE *stream, const struct measurement_list *list, const struct measurement *first,
                           struct paint paint)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct remark remark = {
            .list = list, .first = first, .is_about = has_the_warning, .warning = list->items[i].warnings};
        bool is_told = !*remark.warning || !is_of_table(&list->items[i], first);
        for (size_t j = 0; j < i && !is_told; j++)
            is_told = is_of_table(&list->items[j], first) && has_the_warning(&remark, &list->items[j]);
        if (is_told)
            continue;
        fputs(faint(paint.style), stream);
        print_names(stream, &remark);
        fprintf(stream, "%s%s\n", say_message(remark.warning), plain(paint.style));
    }
}

static bool has_void_share(const struct remark *remark, const struct measurement *measurement)
{
    const struct row row = row_make(remark->list, measurement, remark->base);
    return !row.is_void && measurement->verdict == VERDICT_PASS && row.share_is_void &&
           measurement->kind != MEASURED_PROBE;
}

static bool has_void_speed_up(const struct remark *remark, const struct measurement *measurement)
{
    const struct row row = row_make(remark->list, measurement, remark->base);
    return !row.is_void && measurement->verdict == VERDICT_PASS && row.speed_up_is_void;
}

/* Names the rungs whose share noise voids, then those whose speed-up. */
static void print_voids(FILE *stream, const struct measurement_list *list, const struct measurement *first,
                        const struct measurement *base)
{
    struct remark remark = {.list = list, .first = first, .is_about = has_void_share, .base = base};
    if (print_names(stream, &remark))
        fprintf(stream, "%s\n", tr("too noisy for a share of the ceiling"));
    remark.is_about = has_void_speed_up;
    if (print_names(stream, &remark))
        fprintf(stream, "%s\n", tr("too noisy for a speed-up"));
}

/* All rungs of one problem on one device. */
static void print_device(FILE *stream, const struct measurement_list *list, const struct measurement *first,
                         const struct measurement *base, struct paint paint)
{
    struct cores_seen cores = {0};
    for (size_t i = 0; i < list->count; i++)
        paint.shows_end_to_end = paint.shows_end_to_end || (strcmp(list->items[i].device, first->device) == 0 &&
                                                            list->items[i].phases[PHASE_END_TO_END].count);
    paint.names = widest_name(list, first) + 1;
    paint = fit(paint);
    print_head(stream, first, base ? base->rung : NULL, paint);
    for (size_t i = 0; i < list->count; i++) {
        const struct measurement *measurement = &list->items[i];
        if (!is_of_table(measurement, first))
            continue;
        struct row row = row_make(list, measurement, base);
        print_row(stream, &row, paint);
        cores_add(&cores, measurement);
    }
    print_voids(stream, list, first, base);
    print_warnings(stream, list, first, paint);
    cores_print(stream, &cores, paint.style);
    counters_print(stream, list, first, paint.style);
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

void report_tables_from(FILE *out, const struct measurement_list *list, size_t begin, struct style style)
{
    struct paint paint = paint_for(style);
    char title[HEADING_BYTES];
    FILE *stream = folded_begin(out, style);
    for (size_t i = begin; i < list->count; i++) {
        const struct measurement *first = &list->items[i];
        if (is_first_of(list, i, false))
            fprintf(stream, "\n%s%s%s\n", strong(paint.style), problem_title(first->problem, title),
                    plain(paint.style));
        if (is_first_of(list, i, true))
            print_device(stream, list, first, row_base(list, first->problem), paint);
    }
    folded_end(stream, out);
}

void report_tables(FILE *stream, const struct measurement_list *list, struct style style)
{
    report_tables_from(stream, list, 0, style);
    report_legend(stream, list, NULL, style);
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
