#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "base/message.h"
#include "base/text.h"
#include "base/translation.h"
#include "report/model/command.h"
#include "report/model/heading.h"
#include "report/terminal/cells.h"
#include "report/terminal/folded.h"
#include "report/terminal/report.h"
#include "store/noise.h"

#define AXIS_MOST 64

/* The distinct values of one parameter, in ascending order. */
struct axis_values {
    const char *name;
    long values[AXIS_MOST];
    size_t count;
};

/* The value of `name` in "BX=32 BY=8"; false when it is not there. */
static bool parameter(const struct measurement *measurement, const char *name, long *value)
{
    size_t length = strlen(name);
    for (const char *at = measurement->parameters; *at; at++) {
        bool starts = at == measurement->parameters || at[-1] == ' ';
        if (starts && strncmp(at, name, length) == 0 && at[length] == '=') {
            *value = strtol(at + length + 1, NULL, 10);
            return true;
        }
    }
    return false;
}

static int compare_values(const void *a, const void *b)
{
    long left = *(const long *)a, right = *(const long *)b;
    return (left > right) - (left < right);
}

static struct axis_values collect(const struct measurement_list *list, const char *name)
{
    struct axis_values axis = {.name = name};
    for (size_t i = 0; i < list->count; i++) {
        long value;
        if (list->items[i].kind == MEASURED_PROBE || !parameter(&list->items[i], name, &value))
            continue;
        bool known = false;
        for (size_t v = 0; v < axis.count; v++)
            known = known || axis.values[v] == value;
        if (!known && axis.count < AXIS_MOST)
            axis.values[axis.count++] = value;
    }
    qsort(axis.values, axis.count, sizeof axis.values[0], compare_values);
    return axis;
}

static const struct measurement *find(const struct measurement_list *list, const struct axis_values *columns,
                                      size_t column, const struct axis_values *rows, size_t row)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct measurement *measurement = &list->items[i];
        long value;
        if (measurement->kind == MEASURED_PROBE)
            continue;
        if (!parameter(measurement, columns->name, &value) || value != columns->values[column])
            continue;
        if (rows->name && (!parameter(measurement, rows->name, &value) || value != rows->values[row]))
            continue;
        return measurement;
    }
    return NULL;
}

/* Best to worst on a logarithmic scale: background colours, or a character behind the figure. */
static void print_cell(FILE *stream, double time, double best, double worst, struct style style)
{
    static const int colours[] = {22, 28, 64, 100, 136, 130, 124, 88, 52};
    static const char *const shades[] = {"·", "░", "░", "▒", "▒", "▓", "▓", "█", "█"};
    double place = worst > best ? log(time / best) / log(worst / best) : 0;
    size_t shade = (size_t)lround(place * 8);
    char text[32];
    /* milliseconds, as the publications print them */
    snprintf(text, sizeof text, "%.*f", time < 1e5 ? 4 : time < 1e7 ? 3 : 2, time / 1e6);
    say_number(text);
    const char *mark = time == best ? "★" : style.colour ? " " : shades[shade];
    if (style.colour)
        fprintf(stream, "\033[48;5;%dm\033[97m%8s%s\033[0m", colours[shade], text, mark);
    else
        fprintf(stream, "%8s%s", text, mark);
}

static void print_best(FILE *stream, const struct measurement *best, struct style style)
{
    struct summary time = measurement_summary(best, PHASE_COMPUTE);
    char text[48], apart[32], rate[32];
    text_duration(time.median, text, sizeof text);
    snprintf(apart, sizeof apart, "%.1f", 100 * (time.quartile3 - time.quartile1) / time.median);
    snprintf(rate, sizeof rate, "%.1f", best->work / time.median);
    fputs(style.colour ? "  \033[1m" : "  ", stream);
    fprintf(stream, tr("★ best: %s, %s (quartiles %s %% apart), %s %s"), best->parameters,
            say_quantity(text, sizeof text), say_number(apart), say_number(rate), say_unit(best->rate_unit));
    fprintf(stream, "%s\n", plain(style));
}

static void print_skipped(FILE *stream, const struct measurement_list *list)
{
    size_t wrong = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct measurement *measurement = &list->items[i];
        if (measurement->verdict != VERDICT_FAIL && measurement->verdict != VERDICT_ERROR)
            continue;
        if (wrong++ < 5)
            fprintf(stream, "  %s %s: %s\n", say_verdict(measurement->verdict), measurement->parameters,
                    say_message(measurement->reason));
    }
    fprintf(stream, "  %s%s\n",
            tr("median ms of every combination that was verified; – : the device does not allow it"),
            wrong ? tr("; ! : wrong, see above") : "");
}

/* 0 where noise voids it: it is never the best. */
/* 0: there is none that counts. */
static double median_of(const struct measurement *measurement)
{
    return measurement->verdict != VERDICT_PASS || measurement_is_void(measurement)
               ? 0
               : measurement_summary(measurement, PHASE_COMPUTE).median;
}

static void print_map(FILE *stream, const struct measurement_list *list, const char *const axes[], size_t axis_count,
                      struct style style)
{
    struct axis_values columns = collect(list, axes[0]);
    struct axis_values rows = axis_count > 1 ? collect(list, axes[1]) : (struct axis_values){.count = 1};
    double best = INFINITY, worst = 0;
    const struct measurement *winner = NULL;
    for (size_t i = 0; i < list->count; i++) {
        double median = median_of(&list->items[i]);
        if (list->items[i].kind == MEASURED_PROBE || median <= 0)
            continue;
        winner = median < best ? &list->items[i] : winner;
        best = fmin(best, median);
        worst = fmax(worst, median);
    }
    fprintf(stream, "\n  %7s  %s →\n  %7s ", rows.name ? rows.name : "", columns.name, rows.name ? "↓" : "");
    for (size_t column = 0; column < columns.count; column++)
        fprintf(stream, "%8ld ", columns.values[column]);
    fputc('\n', stream);
    for (size_t row = 0; row < rows.count; row++) {
        if (rows.name)
            fprintf(stream, "  %7ld ", rows.values[row]);
        else
            fprintf(stream, "  %7s ", "");
        for (size_t column = 0; column < columns.count; column++) {
            const struct measurement *measurement = find(list, &columns, column, &rows, row);
            double median = measurement ? median_of(measurement) : 0;
            bool is_void = measurement && measurement_is_void(measurement);
            bool wrong = measurement && (measurement->verdict == VERDICT_FAIL || measurement->verdict == VERDICT_ERROR);
            if (median > 0)
                print_cell(stream, median, best, worst, style);
            else
                column_right(stream, wrong ? "! " : is_void ? tr("noisy") : "– ", 9);
        }
        fputc('\n', stream);
    }
    if (winner)
        print_best(stream, winner, style);
    print_skipped(stream, list);
}

void report_heat_map(FILE *out, const struct measurement_list *list, const char *device, const char *const axes[],
                     size_t axis_count, struct style style)
{
    /* A list of this device's measurements, which stay the other list's. */
    struct measurement_list mine = {.items = calloc(list->count + 1, sizeof *mine.items)};
    if (!mine.items)
        return;
    FILE *stream = folded_begin(out, style);
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].device, device) == 0)
            mine.items[mine.count++] = list->items[i];
    if (mine.count) {
        const struct measurement *first = &mine.items[0];
        char title[HEADING_BYTES];
        fprintf(stream, "\n%s — %s — %s %s, %s\n", first->device, first->device_name, tr("rung"),
                mine.items[mine.count - 1].rung, problem_title(first->problem, title));
        print_map(stream, &mine, axes, axis_count, style);
    }
    free(mine.items);
    folded_end(stream, out);
}
