#include "report/terminal/accuracy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "base/message.h"
#include "base/translation.h"
#include "report/model/accuracy.h"
#include "report/model/command.h"
#include "report/model/figure_text.h"
#include "report/model/heading.h"
#include "report/terminal/cells.h"
#include "report/terminal/folded.h"

#define HEIGHT 16
#define WIDTH 60
#define MARGIN 9 /* of the axis's figures */
#define RUNG_WIDTH 19
#define FIGURE_WIDTH 15
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* Errors of this command, beside their measurements. */
struct source {
    const struct measurement_list *list;
    const struct accuracy_list *errors;
};

static bool errors_of(const void *context, const struct measurement *measurement, struct accuracy *accuracy)
{
    const struct source *source = context;
    for (size_t i = 0; i < source->errors->count; i++)
        if (&source->list->items[source->errors->items[i].measurement] == measurement) {
            *accuracy = source->errors->items[i];
            return true;
        }
    return false;
}

/* ---- the table of one kind of inputs ---- */

static void print_error(FILE *stream, double error)
{
    char text[32];
    snprintf(text, sizeof text, "%.2e", error);
    column_right(stream, isinf(error) ? tr("infinite") : say_number(text), FIGURE_WIDTH);
}

static char letter_of(const struct accuracy_chart *chart, const char *rung)
{
    for (size_t i = 0; i < chart->rung_count; i++)
        if (strcmp(chart->rungs[i], rung) == 0)
            return LETTERS[i % strlen(LETTERS)];
    return ' ';
}

static void print_input(FILE *stream, const struct accuracy_chart *chart, const char *input, struct style style)
{
    columns_print(stream, "\n  %%: %\n    <*>10>*>*>*%\n", faint(style), tr("inputs"), input, RUNG_WIDTH, tr("rung"),
                  say_unit(chart->points[0].measurement->rate_unit), FIGURE_WIDTH, tr("relative"), FIGURE_WIDTH,
                  tr("componentwise"), FIGURE_WIDTH, tr("largest"), plain(style));
    for (size_t i = 0; i < chart->rung_count; i++) {
        const struct accuracy_point *point = accuracy_find(chart, chart->rungs[i], input);
        if (!point)
            continue;
        fprintf(stream, "  %c ", letter_of(chart, chart->rungs[i]));
        column_left(stream, chart->rungs[i], RUNG_WIDTH);
        if (point->rate > 0)
            column_number(stream, point->rate >= 100 ? "%10.0f" : "%10.2f", point->rate);
        else
            column_right(stream, "—", 10);
        print_error(stream, point->errors.relative);
        print_error(stream, point->errors.componentwise);
        print_error(stream, point->errors.largest);
        fputc('\n', stream);
    }
}

/* What is known of a library's version and kernels: once for each rung, below the tables. */
static void print_details(FILE *stream, const struct accuracy_chart *chart)
{
    for (size_t i = 0; i < chart->rung_count; i++)
        for (size_t j = 0; j < chart->input_count; j++) {
            const struct accuracy_point *point = accuracy_find(chart, chart->rungs[i], chart->inputs[j]);
            if (!point || !*point->measurement->detail)
                continue;
            fprintf(stream, "%s  %c %s: %s\n", i == 0 ? "\n" : "", letter_of(chart, chart->rungs[i]), chart->rungs[i],
                    say_message(point->measurement->detail));
            break;
        }
}

/* ---- the picture ---- */

struct picture {
    double slow, fast, low, high; /* rates; errors */
    int width;                    /* columns: at most WIDTH */
    char cells[HEIGHT][WIDTH + 1];
};

static void put(struct picture *picture, double error, double rate, char sign)
{
    const double right = log(picture->high / error) / log(picture->high / picture->low);
    const double up = log(rate / picture->slow) / log(picture->fast / picture->slow);
    const int x = (int)lround(right * (picture->width - 1)), y = (int)lround(up * (HEIGHT - 1));
    if (x >= 0 && x < picture->width && y >= 0 && y < HEIGHT)
        picture->cells[HEIGHT - 1 - y][x] = sign;
}

/* Round powers of ten around all errors and powers of two around all rates. False: nothing to show. */
static bool frame(const struct accuracy_chart *chart, int width, struct picture *picture)
{
    double low = INFINITY, high = 0, slow = INFINITY, fast = 0;
    for (size_t i = 0; i < chart->rung_count; i++) {
        const struct accuracy_range range = accuracy_range_of(chart, chart->rungs[i]);
        if (!range.finite || !(range.rate > 0) || !(range.high > 0))
            continue;
        low = fmin(low, range.high), high = fmax(high, range.high);
        slow = fmin(slow, range.rate), fast = fmax(fast, range.rate);
    }
    if (!(high > 0))
        return false;
    *picture = (struct picture){.low = pow(10, floor(log10(low))),
                                .high = pow(10, floor(log10(high)) + 1),
                                .slow = exp2(floor(log2(slow))),
                                .fast = exp2(floor(log2(fast)) + 1),
                                .width = width};
    for (int y = 0; y < HEIGHT; y++)
        memset(picture->cells[y], ' ', (size_t)width);
    return true;
}

static void print_picture(FILE *stream, const struct accuracy_chart *chart, struct style style)
{
    const int room = style.width - MARGIN - 2, width = room > WIDTH ? WIDTH : room < WIDTH / 2 ? WIDTH / 2 : room;
    struct picture picture;
    char text[32];
    if (!frame(chart, width, &picture))
        return;
    for (size_t i = 0; i < chart->rung_count; i++) {
        const struct accuracy_range range = accuracy_range_of(chart, chart->rungs[i]);
        if (range.finite && range.rate > 0 && range.high > 0)
            put(&picture, range.high, range.rate, letter_of(chart, chart->rungs[i]));
    }
    fprintf(stream, "\n  %s, %s\n", say_unit(chart->points[0].measurement->rate_unit),
            tr("over the largest relative error on all inputs"));
    for (int y = 0; y < HEIGHT; y++) {
        const double rate = picture.slow * pow(picture.fast / picture.slow, (double)(HEIGHT - 1 - y) / (HEIGHT - 1));
        fprintf(stream, "%*s %s%s\n", MARGIN, y % 5 == 0 ? figure_number(rate).text : "", y % 5 == 0 ? "┤" : "│",
                picture.cells[y]);
    }
    fprintf(stream, "%*s └", MARGIN, "");
    for (int x = 0; x < width; x++)
        fputs("─", stream);
    fprintf(stream, "\n%*s  ", MARGIN, "");
    const int decades = (int)lround(log10(picture.high / picture.low));
    for (int x = 0, decade = 0; decade <= decades; decade++) {
        snprintf(text, sizeof text, "%.0e", picture.high * pow(10, -decade));
        const int last = (room < width ? width : room) - (int)strlen(text); /* the rightmost label stays inside */
        const int place = decade * (width - 1) / decades, at = place < last ? place : last;
        if (at >= x)
            x += fprintf(stream, "%*s%s", at - x, "", text);
    }
    fputc('\n', stream);
}

static void print_cited(FILE *stream, const struct accuracy_chart *chart)
{
    for (const struct cited_accuracy *each = accuracy_cited(chart, NULL); each; each = accuracy_cited(chart, each)) {
        char rate[32], low[32], high[32];
        snprintf(rate, sizeof rate, "%.0f", 1000 * each->rate);
        snprintf(low, sizeof low, "%.1e", each->low);
        snprintf(high, sizeof high, "%.1e", each->high);
        fprintf(stream, each == accuracy_cited(chart, NULL) ? "\n  %s: " : "  %s: ", tr("cited"));
        fprintf(stream, tr("%s, %s %s, relative error %s to %s (%s)\n"), each->name, rate, say_unit("GFLOP/s"), low,
                high, tr(each->source));
    }
}

/* ---- all ---- */

static void print_reasons(FILE *stream, const struct measurement_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct measurement *measurement = &list->items[i];
        bool is_told = measurement->verdict == VERDICT_PASS;
        for (size_t j = 0; j < i && !is_told; j++)
            is_told = strcmp(list->items[j].rung, measurement->rung) == 0 &&
                      strcmp(list->items[j].device, measurement->device) == 0 &&
                      strcmp(list->items[j].reason, measurement->reason) == 0;
        if (!is_told)
            fprintf(stream, "  %s  %s, %s: %s\n", say_verdict(measurement->verdict), measurement->device,
                    measurement->rung, say_message(measurement->reason));
    }
}

void report_accuracy(FILE *out, const struct measurement_list *list, const struct accuracy_list *errors,
                     struct style style)
{
    FILE *stream = folded_begin(out, style);
    const struct source source = {list, errors};
    struct accuracy_charts charts;
    char title[HEADING_BYTES];
    if (accuracy_charts_make(list, errors_of, &source, &charts))
        for (size_t c = 0; c < charts.count; c++) {
            const struct accuracy_chart *chart = &charts.items[c];
            const struct measurement *first = chart->points[0].measurement;
            fprintf(stream, "\n%s%s%s\n%s — %s\n", strong(style), problem_title(chart->size, title), plain(style),
                    first->device, first->device_name);
            for (size_t i = 0; i < chart->input_count; i++)
                print_input(stream, chart, chart->inputs[i], style);
            print_details(stream, chart);
            print_picture(stream, chart, style);
            print_cited(stream, chart);
            fprintf(stream, tr("\n  %zu of %zu rows were compared, with all of their columns.\n"),
                    chart->points[0].errors.rows, chart->points[0].errors.all_rows);
        }
    fputc('\n', stream);
    print_reasons(stream, list);
    columns_note(stream, style, "%s",
                 tr("Errors against sums in double of exact products, the larger of two sets of inputs; more: uskor "
                    "help bench\n"));
    accuracy_charts_free(&charts);
    folded_end(stream, out);
}
