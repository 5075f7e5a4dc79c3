/* Rates over sizes: a line for each rung, the ceiling dashed. */
#include <math.h>
#include <stdlib.h>

#include "base/language.h"
#include "base/translation.h"
#include "report/html/charts.h"
#include "report/html/html.h"
#include "report/model/command.h"
#include "report/model/heading.h"
#include "report/model/sizes.h"

#define PLOT_HEIGHT 300
#define LABEL_HEIGHT 16
#define MARKS_MOST 150 /* of a chart: of more sizes than that every second one is marked, or every third … */

struct frame {
    struct scale x, y;
};

static void class_of(const struct size_line *line, char *class, size_t size)
{
    if (line->kind == MEASURED_PROBE)
        snprintf(class, size, "ceiling");
    else if (line->series < 0)
        snprintf(class, size, "other");
    else
        snprintf(class, size, "series-%d", line->series);
}

static void draw_path(struct chart *chart, const struct sizes *sizes, const struct size_line *line,
                      const struct frame *frame, const char *class)
{
    html(chart->stream, "<path class=\"line %s%s\" d=\"", class, line->kind == MEASURED_VENDOR ? " dashed" : "");
    bool pen_down = false;
    for (size_t i = 0; i < line->count; i++) {
        const struct size_point *point = &sizes->points[line->first + i];
        if (point->entry->rate > frame->y.high) { /* a ceiling inside a cache, far above every rung */
            pen_down = false;
            continue;
        }
        html(chart->stream, "%c%.1f %.1f", pen_down ? 'L' : 'M', scale_at(&frame->x, point->x),
             scale_at(&frame->y, point->entry->rate));
        pen_down = true;
    }
    fputs("\"/>", chart->stream);
}

static void draw_points(struct chart *chart, const struct sizes *sizes, const struct size_line *line,
                        const struct frame *frame, const char *class)
{
    char tip[1024], command[640], full[64], both[2048], title[HEADING_BYTES];
    const char *const *names = sizes->x_names;
    size_t stride = 1 + sizes->point_count / MARKS_MOST;
    for (size_t i = 0; i < line->count; i++) {
        const struct size_point *point = &sizes->points[line->first + i];
        if (point->entry->rate > frame->y.high || (line->count - 1 - i) % stride != 0)
            continue;
        snprintf(full, sizeof full, "point %s", class);
        snprintf(both, sizeof both, "%s\n%s",
                 names ? names[(size_t)point->x - 1] : problem_title(point->entry->measurement->problem, title),
                 entry_tip(point->entry, tip, sizeof tip));
        bool is_ceiling = line->kind == MEASURED_PROBE;
        chart_mark_begin(chart, "", both, is_ceiling ? NULL : entry_command(point->entry, command, sizeof command));
        chart_point(chart, scale_at(&frame->x, point->x), scale_at(&frame->y, point->entry->rate),
                    line->series < 0 ? 0 : (size_t)line->series, full);
        chart_mark_end(chart);
    }
}

/* A line's name at its right end; names that would lie on each other are pushed apart. */
struct end_label {
    const struct size_line *line;
    double y;
};

static int compare_labels(const void *a, const void *b)
{
    double left = ((const struct end_label *)a)->y, right = ((const struct end_label *)b)->y;
    return (left > right) - (left < right);
}

static size_t collect_labels(const struct sizes *sizes, const struct frame *frame, struct end_label *labels)
{
    size_t count = 0;
    for (size_t i = 0; i < sizes->line_count; i++) {
        const struct size_line *line = &sizes->lines[i];
        double rate = sizes->points[line->first + line->count - 1].entry->rate;
        if ((line->series >= 0 || line->kind == MEASURED_PROBE) && rate <= frame->y.high)
            labels[count++] = (struct end_label){.line = line, .y = scale_at(&frame->y, rate)};
    }
    qsort(labels, count, sizeof *labels, compare_labels);
    for (size_t i = 1; i < count; i++)
        labels[i].y = fmax(labels[i].y, labels[i - 1].y + LABEL_HEIGHT);
    double bottom = frame->y.from;
    for (size_t i = count; i-- > 0;) {
        labels[i].y = fmin(labels[i].y, bottom);
        bottom -= LABEL_HEIGHT;
    }
    return count;
}

static void label_text_class(const struct size_line *line, char *class, size_t size)
{
    if (line->kind == MEASURED_PROBE)
        snprintf(class, size, "ceiling-name");
    else
        snprintf(class, size, "ink-%d", line->series);
}

static void draw_end_labels(struct chart *chart, const struct sizes *sizes, const struct frame *frame)
{
    struct end_label *labels = calloc(sizes->line_count + 1, sizeof *labels);
    size_t count = labels ? collect_labels(sizes, frame, labels) : 0;
    for (size_t i = 0; i < count; i++) {
        char class[32], name[96], whole[SIZE_NAME_MAX];
        label_text_class(labels[i].line, class, sizeof class);
        chart_text(chart, chart->right + 10, labels[i].y + 4.5, ANCHOR_START, class,
                   chart_fit(sizes_line_name(labels[i].line, whole, sizeof whole), chart->width - chart->right - 14,
                             name, sizeof name));
    }
    free(labels);
}

/* On a phone the names stand below, in two columns; draws them from `y` on, or only counts. Returns the rows. */
static size_t draw_name_list(struct chart *chart, const struct sizes *sizes, double y, bool draw)
{
    size_t count = 0;
    for (size_t i = 0; i < sizes->line_count; i++) {
        const struct size_line *line = &sizes->lines[i];
        if (line->series < 0 && line->kind != MEASURED_PROBE)
            continue;
        if (draw) {
            char class[32], name[96], whole[SIZE_NAME_MAX];
            class_of(line, class, sizeof class);
            size_t column = count % 2, rows_above = count / 2;
            double x = column ? chart->width / 2 : 4, row = y + 20 * (double)rows_above;
            char full[64];
            snprintf(full, sizeof full, "point %s", class);
            chart_point(chart, x + 6, row - 4, line->series < 0 ? 0 : (size_t)line->series, full);
            chart_text(chart, x + 17, row, ANCHOR_START, "soft",
                       chart_fit(sizes_line_name(line, whole, sizeof whole), chart->width / 2 - 24, name, sizeof name));
        }
        count++;
    }
    return (count + 1) / 2;
}

/* How wide the names at the lines' ends are. */
static double label_room(const struct sizes *sizes)
{
    double room = 110;
    for (size_t i = 0; i < sizes->line_count; i++)
        if (sizes->lines[i].series >= 0)
            room = fmax(room, chart_text_width(sizes->lines[i].rung) + 16);
    return fmin(room, 260);
}

void draw_sizes(struct chart *chart, const void *data)
{
    const struct sizes *sizes = data;
    bool narrow = chart_is_narrow(chart);
    double rows = narrow ? (double)draw_name_list(chart, sizes, 0, false) * 20 : 0;
    chart->left = 54;
    chart->right = chart->width - (narrow ? 14 : label_room(sizes));
    chart->top = 34;
    chart->bottom = chart->top + (narrow ? 240 : PLOT_HEIGHT);
    struct frame frame = {
        .x = {.kind = sizes->x_names ? SCALE_LINEAR : SCALE_BINARY,
              .low = sizes->least,
              .high = sizes->most,
              .from = chart->left + 8,
              .to = chart->right - 8},
        .y = {.high = sizes->highest_rate * 1.08, .from = chart->bottom, .to = chart->top},
    };
    char label[256];
    snprintf(label, sizeof label, "%s, %s", say_kernel(ladder_of(sizes->ladder)->kernel),
             sizes->x_names ? tr("Rate over versions") : tr("Rate over size"));
    for (size_t i = 0; i < sizes->line_count; i++) /* a ceiling not much above the rungs is seen whole */
        for (size_t p = 0; sizes->lines[i].kind == MEASURED_PROBE && p < sizes->lines[i].count; p++) {
            double rate = sizes->points[sizes->lines[i].first + p].entry->rate;
            if (rate < 1.6 * sizes->highest_rate)
                frame.y.high = fmax(frame.y.high, rate * 1.05);
        }
    chart_begin(chart, chart->bottom + 46 + rows, label);
    if (sizes->x_names)
        chart_x_names(chart, &frame.x, sizes->x_names, sizes->x_name_count, sizes->axis);
    else
        chart_x_axis(chart, &frame.x, sizes->axis);
    chart_y_axis(chart, &frame.y, say_unit(sizes->unit));
    for (int coloured = 0; coloured < 2; coloured++)
        for (size_t i = 0; i < sizes->line_count; i++) {
            char class[32];
            const struct size_line *line = &sizes->lines[i];
            if ((line->series >= 0) != coloured)
                continue;
            class_of(line, class, sizeof class);
            draw_path(chart, sizes, line, &frame, class);
            draw_points(chart, sizes, line, &frame, class);
        }
    if (narrow)
        draw_name_list(chart, sizes, chart->bottom + 60, true);
    else
        draw_end_labels(chart, sizes, &frame);
    chart_end(chart);
}
