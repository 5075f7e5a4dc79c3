/* The report's page on its way to a stream: chapters of paragraphs, figures and tables.
 *
 * A figure is a chart (drawn for a phone and for a page) with the table of its figures behind it. Whoever adds a
 * chapter writes it with these functions only; every text that comes from a measurement is escaped by them. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "report/html/chart.h"

#define CHART_NAME_MAX 160

struct page {
    FILE *stream;
    const char *only; /* NULL, or the one chart to draw on `drawing` as a file of its own */
    FILE *drawing;    /* NULL: nowhere */
    bool drawn;       /* that chart was found */
    void (*on_chart)(void *context, const char *name); /* receives every chart's name; may be NULL */
    void *context;
    size_t charts;
    char prefix[16]; /* before the anchors and the charts' names of a machine that is not the first */
};

/* A chapter that the report is given: written where the table of contents says. */
struct chapter {
    const char *id;    /* its anchor: letters, digits, '-' */
    const char *title; /* in the reader's language */
    void (*write)(struct page *page, const void *context);
    const void *context;
};

/* Draws the data: calls chart_begin and chart_end once. chart->width is set and says how wide. */
typedef void chart_drawing(struct chart *chart, const void *data);

/* A chart under its name ("transpose/ladder/cpu": what `uskor report --svg` takes) and a caption (NULL: none). Text
 * written until page_figure_end follows it, folded away: its tables. The page's device buttons choose by `device`
 * (NULL: of all). */
void page_figure(struct page *page, const char *name, const char *caption, const char *device, chart_drawing *draw,
                 const void *data);
void page_figure_end(struct page *page);

/* Folded away under `summary` until page_fold_end. */
void page_fold(struct page *page, const char *summary);
void page_fold_end(struct page *page);

/* The id (NULL: none) is an anchor, for page_link. */
void page_heading(struct page *page, int level, const char *id, const char *text);
void page_link(struct page *page, const char *id, const char *text);
void page_paragraph(struct page *page, const char *class, const char *text);

/* A table: its headings (one that begins with '#' is above numbers, and loses the '#'), rows, and cells; a number's
 * cell is set to the right. A row's `device` is as a figure's. */
void page_table(struct page *page, const char *class, const char *const headings[], size_t count);
void page_row(struct page *page, const char *class, const char *device);
void page_cell(struct page *page, const char *text);
void page_number(struct page *page, const char *text);
void page_row_end(struct page *page);
void page_table_end(struct page *page);

/* A cell with a button that copies the command. */
void page_command_cell(struct page *page, const char *command);
