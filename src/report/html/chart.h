/* One drawing, as SVG: the same for the report, for paper, and for a file of its own.
 *
 * Coordinates are pixels of a drawing `width` wide, y downwards. Colours are classes that chart.css defines from the
 * palette, so that one drawing serves light and dark pages. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "report/html/axis_scale.h"

/* Every chart is drawn for two widths: a phone's and a page's. */
#define CHART_NARROW 360
#define CHART_WIDE 880 /* on a page 800 pixels wide its smallest letters still have ten */
#define CHART_FONT 13  /* pixels */

struct chart {
    FILE *stream;
    double width, height;
    bool standalone;                 /* a file of its own: it brings its colours along */
    double left, top, right, bottom; /* the plot's edges, for axes */
};

enum anchor {
    ANCHOR_START,
    ANCHOR_MIDDLE,
    ANCHOR_END,
};

/* `label` says what the chart shows, for who cannot see it. */
void chart_begin(struct chart *chart, double height, const char *label);
void chart_end(struct chart *chart);

/* The pattern that bars of vendors' rungs are hatched with, once for all drawings of a page. */
void chart_write_hatch(FILE *stream);

bool chart_is_narrow(const struct chart *chart);

void chart_text(struct chart *chart, double x, double y, enum anchor anchor, const char *class, const char *text);
void chart_line(struct chart *chart, double x1, double y1, double x2, double y2, const char *class);
void chart_box(struct chart *chart, double x, double y, double width, double height, const char *class);

/* One of a few shapes that distinguish series without colour; any `shape` is valid, as they repeat. */
void chart_point(struct chart *chart, double x, double y, size_t shape, const char *class);

/* All drawing until chart_mark_end is one figure: pointing at it shows `tip`, a click copies `command` (NULL: nothing
 * to copy). */
void chart_mark_begin(struct chart *chart, const char *class, const char *tip, const char *command);
void chart_mark_end(struct chart *chart);

/* Axes, with a grid, named at round values. */
void chart_x_axis(struct chart *chart, const struct scale *scale, const char *title);

/* The same for the values 1 … `count`, by their names; where these would be on each other, for every second, or third …
 */
void chart_x_names(struct chart *chart, const struct scale *scale, const char *const names[], size_t count,
                   const char *title);
void chart_y_axis(struct chart *chart, const struct scale *scale, const char *title);

/* One entry of a legend: a swatch of `class` and its name at (x, y); returns where the next one may begin. */
double chart_legend(struct chart *chart, double x, double y, const char *class, const char *name);

/* About how wide the text will be at CHART_FONT. */
double chart_text_width(const char *text);

/* The same of a rung's name (class "name": letters of one width). */
double chart_name_width(const char *name);

/* The text, cut with an ellipsis where it would be wider than `width`; returns `buffer`. */
const char *chart_fit(const char *text, double width, char *buffer, size_t size);
