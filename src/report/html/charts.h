/* The report's charts; each is a `chart_drawing` (page.h) of the data that its comment names. */
#pragma once

#include "report/html/chart.h"

struct sweep_map;

void draw_ladder(struct chart *chart, const void *data);      /* struct ladder: bars of its rungs */
void draw_panels(struct chart *chart, const void *data);      /* struct panels: ladders side by side */
void draw_sizes(struct chart *chart, const void *data);       /* struct sizes: a line for each rung */
void draw_heat(struct chart *chart, const void *data);        /* struct sweep_map */
void draw_roofline(struct chart *chart, const void *data);    /* struct roofline */
void draw_timeline(struct chart *chart, const void *data);    /* struct timeline_view */
void draw_accuracy(struct chart *chart, const void *data);    /* struct accuracy_chart */
void draw_access(struct chart *chart, const void *data);      /* struct explained_access: lanes, sectors or banks */
void draw_resources(struct chart *chart, const void *data);   /* struct explained_rung */
void draw_predictions(struct chart *chart, const void *data); /* struct explained_kernel */

/* Nanoseconds in the unit of a map's cells, that of its best one; its name, when `name` is not NULL. */
double sweep_unit(const struct sweep_map *map, const char **name);
