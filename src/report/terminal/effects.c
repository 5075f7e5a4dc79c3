#include "report/terminal/effects.h"

#include <math.h>
#include <stdlib.h>

#include "base/language.h"
#include "base/translation.h"
#include "report/model/command.h"
#include "report/terminal/cells.h"
#include "report/terminal/folded.h"
#include "store/noise.h"

#define VALUE_WIDTH 11
#define TIME_WIDTH 10
#define SPREAD_WIDTH 10
#define RATIO_WIDTH 9
#define BAR_LEAST 8
#define BAR_MOST 40
#define WIDTH_MOST 100

struct paint {
    struct style style;
    const char *bad;
    int bar; /* columns; 0: no bars */
    bool measured, predicted;
    double longest, each; /* ns; what a time is divided by */
};

static bool any_point(const struct effect_chart *chart, bool (*has)(const struct effect_point *))
{
    for (size_t s = 0; s < chart->count; s++)
        for (size_t i = 0; i < chart->series[s].count; i++)
            if (has(&chart->series[s].points[i]))
                return true;
    return false;
}

static bool is_predicted(const struct effect_point *point)
{
    return point->predicted > 0;
}

static bool was_run(const struct effect_point *point)
{
    return point->was_run;
}

static struct paint paint_for(const struct effect_chart *chart, struct style style)
{
    struct paint paint = {
        .style = style,
        .bad = style.colour ? "\033[1;31m" : "",
        .measured = any_point(chart, was_run),
        .predicted = any_point(chart, is_predicted),
        .longest = effect_chart_longest(chart),
        .each = chart->steps ? (double)chart->steps : 1,
    };
    int width = style.width < WIDTH_MOST ? style.width : WIDTH_MOST;
    int rest = width - 2 - VALUE_WIDTH - RATIO_WIDTH - 2 - (paint.measured ? TIME_WIDTH + SPREAD_WIDTH : 0) -
               (paint.predicted ? TIME_WIDTH : 0);
    paint.bar = rest < BAR_LEAST ? 0 : rest > BAR_MOST ? BAR_MOST : rest;
    return paint;
}

static void print_spread(FILE *stream, const struct summary *time)
{
    char text[32];
    if (time->median <= 0) {
        fprintf(stream, "%*s", SPREAD_WIDTH, "");
        return;
    }
    double spread = 50 * (time->quartile3 - time->quartile1) / time->median;
    if (time->count < 2) {
        fprintf(stream, "%*s", SPREAD_WIDTH, ""); /* one sample tells nothing of others */
        return;
    }
    snprintf(text, sizeof text, spread < 100 ? "±%.1f %%" : "±%.0f %%", spread);
    column_right(stream, say_number(text), SPREAD_WIDTH);
}

/* The measured time as a bar in eighths of a column, the predicted one as a mark on it. */
static void print_bar(FILE *stream, const struct effect_point *point, const struct paint *paint)
{
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    if (!paint->bar || paint->longest <= 0)
        return;
    int filled = (int)lround(summary_figure(&point->time) / paint->longest * paint->bar * 8);
    int mark = point->predicted > 0 ? (int)lround(point->predicted / paint->longest * (paint->bar - 1)) : -1;
    if (summary_figure(&point->time) > 0 && filled == 0)
        filled = 1;
    fputs("  ", stream);
    for (int column = 0; column < paint->bar; column++) {
        bool is_full = (column + 1) * 8 <= filled, is_end = !is_full && column * 8 < filled;
        if (column == mark)
            fprintf(stream, "%s┃%s", strong(paint->style), plain(paint->style));
        else if (is_full || is_end)
            fprintf(stream, "%s%s%s", good(paint->style), is_full ? "█" : eighths[filled % 8], plain(paint->style));
        else if (column > mark)
            break;
        else
            fputc(' ', stream);
    }
}

static void print_point(FILE *stream, const struct effect_series *series, size_t index, const struct paint *paint)
{
    const struct effect_point *point = &series->points[index];
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)point->value);
    fputs("  ", stream);
    column_right(stream, text, VALUE_WIDTH);
    if (point->was_run && point->verdict != VERDICT_PASS) {
        fprintf(stream, "  %s%s  %s%s\n", point->verdict == VERDICT_SKIP ? faint(paint->style) : paint->bad,
                say_verdict(point->verdict), say_message(point->reason), plain(paint->style));
        return;
    }
    if (paint->measured) {
        column_time(stream, summary_figure(&point->time) / paint->each, TIME_WIDTH);
        print_spread(stream, &point->time);
    }
    if (paint->predicted)
        column_time(stream, point->predicted / paint->each, TIME_WIDTH);
    double ratio = effect_point_ratio(series, index);
    snprintf(text, sizeof text, "%.2f", ratio);
    column_right(stream, ratio > 0 ? say_number(text) : "—", RATIO_WIDTH);
    print_bar(stream, point, paint);
    fputc('\n', stream);
}

static void print_series(FILE *stream, const struct effect_chart *chart, const struct effect_series *series,
                         const struct paint *paint)
{
    const char *reason = effect_series_reason(series);
    fprintf(stream, "  %s%s%s: ", strong(paint->style), series->name, plain(paint->style));
    columns_wrapped(stream, tr(series->idea), column_width(series->name) + 4, 4,
                    paint->style.width < WIDTH_MOST ? paint->style.width : WIDTH_MOST);
    if (reason) {
        fprintf(stream, "    %s%s  %s%s\n",
                series->points[0].verdict == VERDICT_SKIP ? faint(paint->style) : paint->bad,
                say_verdict(series->points[0].verdict), say_message(reason), plain(paint->style));
        return;
    }
    fprintf(stream, "  %s", faint(paint->style));
    column_right(stream, chart->parameter, VALUE_WIDTH);
    if (paint->measured) {
        column_right(stream, tr("measured"), TIME_WIDTH);
        column_right(stream, "±", SPREAD_WIDTH);
    }
    if (paint->predicted)
        column_right(stream, tr("model"), TIME_WIDTH);
    column_right(stream, tr("× first"), RATIO_WIDTH);
    fprintf(stream, "%s\n", plain(paint->style));
    for (size_t i = 0; i < series->count; i++)
        print_point(stream, series, i, paint);
    if (series->no_prediction[0])
        columns_note(stream, paint->style, tr("the model lacks counts: %s"), say_message(series->no_prediction));
}

void report_effect(FILE *out, const struct effect_chart *chart, struct style style)
{
    struct paint paint = paint_for(chart, style);
    FILE *stream = folded_begin(out, style);
    fprintf(stream, "\n%s%s: %s%s\n  %s%s%s", strong(paint.style), chart->name, tr(chart->title), plain(paint.style),
            chart->device, chart->device[0] ? " — " : "", chart->device_name);
    fprintf(stream, "%s%s\n", chart->problem[0] ? ", " : "", chart->problem);
    if (chart->is_cpu_opencl)
        columns_note(stream, style, "%s",
                     tr("OpenCL on a CPU: shows that the kernels are right; an effect of a GPU does not show here"));
    columns_note(stream, style, "%s: %s", chart->parameter, tr(chart->axis));
    if (chart->steps)
        columns_note(stream, style, tr("times: of one load in a chain of %ld"), (long)chart->steps);
    for (size_t s = 0; s < chart->count; s++)
        print_series(stream, chart, &chart->series[s], &paint);
    fputs("  ", stream);
    columns_wrapped(stream, tr(chart->lesson), 2, 2, style.width < WIDTH_MOST ? style.width : WIDTH_MOST);
    folded_end(stream, out);
}

static bool is_void(const struct effect_point *point)
{
    return point->was_run && point->verdict == VERDICT_PASS && summary_figure(&point->time) <= 0;
}

static bool any_void(const struct effect_chart *charts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (any_point(&charts[i], is_void))
            return true;
    return false;
}

void report_effect_legend(FILE *stream, const struct effect_chart *charts, size_t count, struct style style)
{
    bool measured = false, predicted = false;
    for (size_t i = 0; i < count; i++) {
        measured = measured || any_point(&charts[i], was_run);
        predicted = predicted || any_point(&charts[i], is_predicted);
    }
    fputc('\n', stream);
    if (measured)
        columns_note(
            stream, style, "%s",
            tr("█ the median of verified, interleaved runs; ± half the distance of the quartiles; × first: over the "
               "series' first value."));
    if (any_void(charts, count))
        columns_note(stream, style, "%s",
                     tr("—: the samples lie too far apart, as other programs used the machine; more --time, or a quiet "
                        "machine, gives a figure. × first is then over the first figure."));
    if (predicted)
        columns_note(
            stream, style, "%s",
            tr("┃ the model of 'uskor explain' for the same kernel, from counts alone: docs/explain.md says where "
               "it is wrong."));
}
