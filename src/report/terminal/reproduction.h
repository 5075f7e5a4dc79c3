/* A publication's tables beside today's: on a terminal, and as JSON and CSV. */
#pragma once

#include "publications/reproduction.h"
#include "report/terminal/report.h"

#define GRID_TEXT_BYTES 128

/* Tables, what became of the conclusions, remarks, and why what was skipped was. */
void report_reproduction(FILE *out, const struct reproduction *reproduction, struct style style);

/* {"publication": …, "tables": […], "claims": […], "remarks": […], "measurements": […]}; the measurements as in
 * report_json. One row per figure as CSV. False when the stream could not be written. */
bool report_reproduction_json(FILE *stream, const struct reproduction *reproduction,
                              const struct measurement_list *measurements);
bool report_reproduction_csv(FILE *stream, const struct reproduction *reproduction);

/* Shared by the terminal and the HTML report. */

/* The heading's label: its own, or "N = 1024", or "BX=4". */
const char *heading_text(const struct heading *heading, char text[GRID_TEXT_BYTES]);
/* A published figure as printed; mean ± deviation of samples; empty when it is blank. */
const char *printed_text(const struct figure_printed *figure, char text[GRID_TEXT_BYTES]);
/* Today's figure: "0.99 ± 0.01 (2.1×)"; "SKIP", "FAIL", "ERROR"; an em dash where it could be measured and was not;
 * empty when nothing belongs there. */
const char *here_text(const struct panel *panel, const struct here_cell *cell, char text[GRID_TEXT_BYTES]);
/* "mean time, ms" */
const char *panel_text(const struct panel *panel, char text[GRID_TEXT_BYTES * 2]);
/* The column's published machine, or its own label. */
const char *published_head(const struct panel *panel, size_t column, char text[GRID_TEXT_BYTES]);
const char *here_head(const struct panel_comparison *panel, size_t column, char text[GRID_TEXT_BYTES]);
/* "Table 3. The three forms" */
const char *table_text(const struct publication_table *table, char text[GRID_TEXT_BYTES * 2]);
/* judgement_name in the language chosen */
const char *judgement_text(enum judgement outcome);

extern const struct localized_text reproduction_word_published;
extern const struct localized_text reproduction_word_here;
extern const struct localized_text reproduction_word_predicted;
extern const struct localized_text reproduction_word_concluded;
extern const struct localized_text reproduction_word_remarks;
extern const struct localized_text reproduction_word_machines;
extern const struct localized_text reproduction_word_no_gpu;
extern const struct localized_text reproduction_legend;

/* The chapter of the HTML report (report/html/page.h): the publications one after the other. `context` is a struct
 * reproduction_chapter. */
struct page;
struct reproduction_chapter {
    const struct reproduction *items;
    size_t count;
};
/* A plot over the sizes: published lines dashed, today's solid, with error bars. `data` is a struct reproduction_plot.
 */
struct chart;
struct reproduction_plot {
    const struct reproduction *reproduction;
    const struct publication_plot *plot;
};
void draw_reproduction(struct chart *chart, const void *data);
/* The table behind it. */
void write_reproduction_points(struct page *page, const struct reproduction_plot *plot);
void chapter_reproduction(struct page *page, const void *context);
extern const struct localized_text reproduction_chapter_title;
