/* Published figures and today's over the sizes, both axes logarithmic. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "base/text.h"
#include "report/html/html.h"
#include "report/html/page.h"
#include "report/terminal/reproduction.h"

#define LINES_MOST 32
#define POINTS_MOST 32
#define COLOURS 8 /* of chart.css */
#define PLOT_HEIGHT 300
#define LEGEND_ROW 20

struct point {
    double x, y, error;
    const struct measurement *measurement;
};

/* One run on one machine: published or today's. */
struct line {
    const struct publication_run *run;
    char name[160];
    bool today;
    size_t colour; /* of the run */
    struct point points[POINTS_MOST];
    size_t count;
};

struct lines {
    struct line items[LINES_MOST];
    size_t count;
};

static struct line *line_of(struct lines *lines, const struct publication *publication,
                            const struct publication_run *run, const char *where, bool today)
{
    char name[160];
    snprintf(name, sizeof name, "%s — %.120s", run->rung, where);
    for (size_t i = 0; i < lines->count; i++)
        if (lines->items[i].run == run && lines->items[i].today == today && strcmp(lines->items[i].name, name) == 0)
            return &lines->items[i];
    if (lines->count == LINES_MOST)
        return NULL;
    struct line *line = &lines->items[lines->count++];
    memcpy(line->name, name, sizeof name);
    line->run = run;
    line->today = today;
    line->colour = (size_t)(run - publication->runs) % COLOURS;
    return line;
}

static void add_point(struct line *line, double x, double y, double error, const struct measurement *measurement)
{
    if (line && line->count < POINTS_MOST && x > 0 && y > 0)
        line->points[line->count++] = (struct point){x, y, error, measurement};
}

static bool belongs(const struct publication_plot *plot, const struct tie *tie, enum technology technology)
{
    /* A ratio between two devices is not drawn as a figure of one of them. */
    bool between = plot->quantity == QUANTITY_RATIO && tie->over_technology & ~(unsigned)TECHNOLOGY_CPU;
    return tie->run && tie->size && !between && (!plot->technology || technology == plot->technology);
}

static void collect_panel(struct lines *lines, const struct reproduction_plot *data, const struct panel_comparison *of)
{
    const struct panel *panel = of->panel;
    const struct publication *publication = data->reproduction->publication;
    char text[GRID_TEXT_BYTES];
    for (size_t c = 0; c < panel->column_count; c++)
        for (size_t r = 0; r < panel->row_count; r++) {
            struct tie tie = panel_tie(panel, r, c);
            const struct figure_printed *cell = &of->published[r * panel->column_count + c];
            if (!belongs(data->plot, &tie, tie.technology) || isnan(cell->value))
                continue;
            const struct publication_machine *machine = panel->columns[c].machine;
            add_point(
                line_of(lines, publication, tie.run, machine ? machine->name : published_head(panel, c, text), false),
                (double)tie.size, cell->value, cell->deviation, NULL);
        }
    for (size_t c = 0; c < of->column_count; c++)
        for (size_t r = 0; r < panel->row_count; r++) {
            const struct here_column *column = &of->columns[c];
            struct tie tie = panel_tie(panel, r, column->of);
            const struct here_cell *cell = &column->cells[r];
            if (!column->device || !belongs(data->plot, &tie, column->technology) || cell->state != HERE_VALUE)
                continue;
            snprintf(text, sizeof text, "%s (%s)", column->device, localized_text(&reproduction_word_here));
            add_point(line_of(lines, publication, tie.run, text, true), (double)tie.size, cell->value, cell->deviation,
                      cell->measurement);
        }
}

/* Scales that hold every point. */
static void span(const struct lines *lines, struct scale *x, struct scale *y)
{
    x->low = y->low = INFINITY;
    x->high = y->high = 0;
    for (size_t i = 0; i < lines->count; i++)
        for (size_t p = 0; p < lines->items[i].count; p++) {
            const struct point *point = &lines->items[i].points[p];
            x->low = fmin(x->low, point->x);
            x->high = fmax(x->high, point->x);
            y->low = fmin(y->low, point->y);
            y->high = fmax(y->high, point->y + (point->error > 0 ? point->error : 0));
        }
    y->low /= 1.3;
    y->high *= 1.3;
}

static void draw_line(struct chart *chart, const struct line *line, const struct scale *x, const struct scale *y)
{
    html(chart->stream, "<path class=\"line series-%zu%s\" d=\"", line->colour, line->today ? "" : " dashed");
    for (size_t p = 0; p < line->count; p++)
        html(chart->stream, "%c%.1f %.1f", p ? 'L' : 'M', scale_at(x, line->points[p].x),
             scale_at(y, line->points[p].y));
    fputs("\"/>", chart->stream);
    for (size_t p = 0; p < line->count; p++) {
        const struct point *point = &line->points[p];
        double at = scale_at(x, point->x);
        char tip[256], class[32];
        snprintf(tip, sizeof tip, "%s\nN = %.0f: %.4g", line->name, point->x, point->y);
        if (point->error > 0)
            text_append(tip, sizeof tip, " ± %.2g", point->error);
        snprintf(class, sizeof class, "point series-%zu", line->colour);
        chart_mark_begin(chart, "", tip, NULL);
        if (point->error > 0) {
            snprintf(class, sizeof class, "line series-%zu", line->colour);
            html(chart->stream, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>", class, at,
                 scale_at(y, fmax(point->y - point->error, y->low)), at, scale_at(y, point->y + point->error));
            snprintf(class, sizeof class, "point series-%zu", line->colour);
        }
        chart_point(chart, at, scale_at(y, point->y), line->today ? line->colour : line->colour + 1, class);
        chart_mark_end(chart);
    }
}

static void draw_legend(struct chart *chart, const struct lines *lines, double y)
{
    for (size_t i = 0; i < lines->count; i++) {
        const struct line *line = &lines->items[i];
        size_t column = i % 2, rows_above = i / 2;
        double left = column ? chart->width / 2 : 4, row = y + (double)rows_above * LEGEND_ROW;
        char name[200];
        html(chart->stream, "<path class=\"line series-%zu%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>", line->colour,
             line->today ? "" : " dashed", left, row - 4, left + 22, row - 4);
        chart_text(chart, left + 28, row, ANCHOR_START, "soft",
                   chart_fit(line->name, chart->width / 2 - 36, name, sizeof name));
    }
}

static const char *unit_of(const struct reproduction_plot *plot)
{
    for (size_t i = 0; i < plot->reproduction->panel_count; i++) {
        const struct panel *panel = plot->reproduction->panels[i].panel;
        if (panel->quantity == plot->plot->quantity && panel->unit)
            return say_unit(panel->unit);
    }
    return plot->plot->quantity == QUANTITY_RATIO ? "×" : "%";
}

/* The caller frees them with free(); NULL when memory is out. */
static struct lines *collect(const struct reproduction_plot *plot)
{
    struct lines *lines = calloc(1, sizeof *lines);
    for (size_t i = 0; lines && i < plot->reproduction->panel_count; i++) {
        const struct panel_comparison *of = &plot->reproduction->panels[i];
        if (of->panel->quantity == plot->plot->quantity && !of->panel->grid)
            collect_panel(lines, plot, of);
    }
    return lines;
}

void write_reproduction_points(struct page *page, const struct reproduction_plot *plot)
{
    char heading[64], n[32], figure[96];
    snprintf(heading, sizeof heading, "#%s", unit_of(plot));
    const char *headings[] = {"", "#N", heading};
    struct lines *lines = collect(plot);
    page_table(page, "", headings, 3);
    for (size_t i = 0; lines && i < lines->count; i++)
        for (size_t p = 0; p < lines->items[i].count; p++) {
            const struct point *point = &lines->items[i].points[p];
            snprintf(n, sizeof n, "%.0f", point->x);
            snprintf(figure, sizeof figure, "%.4g", point->y);
            if (point->error > 0)
                text_append(figure, sizeof figure, " ± %.2g", point->error);
            page_row(page, "", NULL);
            page_cell(page, lines->items[i].name);
            page_number(page, n);
            page_number(page, say_number(figure));
            page_row_end(page);
        }
    page_table_end(page);
    free(lines);
}

void draw_reproduction(struct chart *chart, const void *data)
{
    const struct reproduction_plot *plot = data;
    struct lines *lines = collect(plot);
    struct scale x = {.kind = SCALE_BINARY}, y = {.kind = SCALE_DECADES};
    size_t rows = lines ? (lines->count + 1) / 2 : 0;
    double legend = (double)rows * LEGEND_ROW;
    chart->left = 60;
    chart->right = chart->width - 14;
    chart->top = 34;
    chart->bottom = chart->top + (chart_is_narrow(chart) ? 240 : PLOT_HEIGHT);
    chart_begin(chart, chart->bottom + 56 + legend, localized_text(&plot->plot->title));
    if (lines && lines->count) {
        span(lines, &x, &y);
        x.from = chart->left + 8;
        x.to = chart->right - 8;
        y.from = chart->bottom;
        y.to = chart->top;
        chart_x_axis(chart, &x, "N");
        chart_y_axis(chart, &y, unit_of(plot));
        for (size_t i = 0; i < lines->count; i++)
            draw_line(chart, &lines->items[i], &x, &y);
        draw_legend(chart, lines, chart->bottom + 62);
    }
    chart_end(chart);
    free(lines);
}
