/* The model's pictures: where a warp's lanes are in memory, resources as bars, predicted beside measured times. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/language.h"
#include "base/translation.h"
#include "report/html/charts.h"
#include "report/model/explained.h"
#include "report/model/figure_text.h"

#define ROW 26.0
#define LANES_TOP 44.0
#define LANE_HEIGHT 18.0
#define WIRES 70.0 /* between lanes and cells */
#define CELL_HEIGHT 34.0
#define CELL_MOST 40.0
#define CAPTION_LINE 18.0

/* ---- memory ----------------------------------------------------------------------------------------------------- */

static double cell_x(const struct chart *chart, const struct explained_spread *spread, size_t cell, double *width)
{
    *width = fmin((chart->width - 8) / (double)spread->count, CELL_MOST);
    return (chart->width - *width * (double)spread->count) / 2 + *width * (double)cell;
}

static double lane_x(const struct chart *chart, int lane, double *width)
{
    *width = (chart->width - 8) / EXPLAINED_LANES;
    return 4 + *width * lane;
}

static void draw_lanes(struct chart *chart, const struct explained_access *access,
                       const struct explained_spread *spread)
{
    char text[16];
    double width, cell_width;
    for (int lane = 0; lane < EXPLAINED_LANES; lane++) {
        double x = lane_x(chart, lane, &width);
        bool at_work = access->mask >> lane & 1;
        chart_box(chart, x, LANES_TOP, width - 1, LANE_HEIGHT, at_work ? "bar device" : "cell heat-9");
        snprintf(text, sizeof text, "%d", lane);
        if (lane % (chart_is_narrow(chart) ? 8 : 1) == 0)
            chart_text(chart, x + width / 2, LANES_TOP - 5, ANCHOR_MIDDLE, "tick", text);
        if (!at_work)
            continue;
        double to = cell_x(chart, spread, spread->cell_of[lane], &cell_width) + cell_width / 2;
        chart_line(chart, x + width / 2, LANES_TOP + LANE_HEIGHT, to, LANES_TOP + LANE_HEIGHT + WIRES, "whisker");
    }
}

/* A sector's used part, or a bank's words one upon the other. */
static void draw_cells(struct chart *chart, const struct explained_access *access,
                       const struct explained_spread *spread)
{
    double width, top = LANES_TOP + LANE_HEIGHT + WIRES;
    unsigned full = access->is_shared ? spread->most : EXPLAINED_SECTOR;
    size_t names = spread->count * 22 > (size_t)chart->width ? 4 : 1;
    for (size_t i = 0; i < spread->count; i++) {
        const struct explained_cell *cell = &spread->cells[i];
        double x = cell_x(chart, spread, i, &width), height = CELL_HEIGHT * cell->used / fmax(full, 1);
        char text[64], tip[160];
        snprintf(tip, sizeof tip, access->is_shared ? tr("bank %u: words %u") : tr("sector %u: bytes used %u of 32"),
                 (unsigned)cell->place, cell->used);
        chart_mark_begin(chart, "", tip, NULL);
        chart_box(chart, x, top, width - 1, CELL_HEIGHT, "cell heat-9");
        chart_box(chart, x, top + CELL_HEIGHT - height, width - 1, height, "bar host best");
        chart_mark_end(chart);
        snprintf(text, sizeof text, "%u", (unsigned)cell->place);
        if (i % names == 0)
            chart_text(chart, x + width / 2, top + CELL_HEIGHT + 15, ANCHOR_MIDDLE, "tick", text);
    }
}

/* Two lines where one is too long: the second begins behind the colon. */
static void draw_caption(struct chart *chart, double y, const char *text)
{
    const char *rest = chart_name_width(text) > chart->width ? strstr(text, ": ") : NULL;
    char first[160];
    snprintf(first, sizeof first, "%.*s", rest ? (int)(rest - text) + 1 : (int)sizeof first - 1, text);
    chart_text(chart, 4, y, ANCHOR_START, "soft", first);
    if (rest)
        chart_text(chart, 4, y + CAPTION_LINE, ANCHOR_START, "soft", rest + 2);
}

void draw_access(struct chart *chart, const void *data)
{
    const struct explained_access *access = data;
    struct explained_spread spread;
    char label[160];
    explained_spread_make(access, &spread);
    snprintf(label, sizeof label, "%s, %s", access->array, tr(access->operation));
    chart_begin(chart, LANES_TOP + LANE_HEIGHT + WIRES + CELL_HEIGHT + 44 + CAPTION_LINE, label);
    chart_text(chart, 4, 16, ANCHOR_START, "soft", tr("lanes of a warp"));
    if (spread.count > 0) {
        draw_lanes(chart, access, &spread);
        draw_cells(chart, access, &spread);
    }
    draw_caption(chart, LANES_TOP + LANE_HEIGHT + WIRES + CELL_HEIGHT + 36,
                 access->is_shared ? tr("banks of local memory: filled as many words are read from each")
                                   : tr("sectors of 32 bytes, from the first one touched: filled as far as used"));
    chart_end(chart);
}

/* ---- bars of times ---------------------------------------------------------------------------------------------- */

static void draw_bar(struct chart *chart, const struct scale *x, double top, double height, double ns,
                     const char *class)
{
    chart_box(chart, x->from, top, fmax(scale_at(x, ns) - x->from, 1), height, class);
    chart_text(chart, fmax(scale_at(x, ns), x->from) + 6, top + height / 2 + 4.5, ANCHOR_START, "value soft",
               figure_duration(ns).text);
}

static struct scale scale_of(const struct chart *chart, double label, double longest)
{
    return (struct scale){.high = longest > 0 ? longest : 1, .from = label, .to = chart->width - 90};
}

void draw_resources(struct chart *chart, const void *data)
{
    const struct explained_rung *rung = data;
    char name[96];
    double longest = 0, label = 120;
    for (size_t i = 0; i < rung->resource_count; i++) {
        longest = fmax(longest, rung->resources[i].ns);
        label = fmax(label, chart_name_width(tr(rung->resources[i].title)) + 14);
    }
    label = fmin(label, chart_is_narrow(chart) ? 0.5 * chart->width : 230);
    struct scale x = scale_of(chart, label, longest);
    chart_begin(chart, ROW * (double)rung->resource_count + 8, rung->name);
    for (size_t i = 0; i < rung->resource_count; i++) {
        double top = 4 + ROW * (double)i;
        bool is_bound = rung->resources[i].ns == longest;
        chart_fit(tr(rung->resources[i].title), label - 12, name, sizeof name);
        chart_text(chart, label - 8, top + ROW / 2 + 4, ANCHOR_END, is_bound ? "strong" : "", name);
        draw_bar(chart, &x, top + 3, ROW - 6, rung->resources[i].ns, is_bound ? "bar device best" : "bar device");
    }
    chart_end(chart);
}

void draw_predictions(struct chart *chart, const void *data)
{
    const struct explained_kernel *kernel = data;
    char name[96];
    double longest = 0, label = 10, row = 2 * ROW - 6;
    bool has_measured = false;
    for (size_t i = 0; i < kernel->count; i++) {
        longest = fmax(longest, fmax(kernel->rungs[i].predicted, kernel->rungs[i].measured));
        has_measured |= kernel->rungs[i].measured > 0;
        label = fmax(label, chart_name_width(kernel->rungs[i].name) + 14);
    }
    label = fmin(label, chart_is_narrow(chart) ? 120 : 230);
    struct scale x = scale_of(chart, label, longest);
    chart_begin(chart, row * (double)kernel->count + 34, say_kernel(kernel->kernel));
    double legend = has_measured ? chart_legend(chart, 2, 16, "bar device best", tr("measured")) : 2;
    chart_legend(chart, legend, 16, "bar host best", tr("predicted"));
    for (size_t i = 0; i < kernel->count; i++) {
        const struct explained_rung *rung = &kernel->rungs[i];
        double top = 28 + row * (double)i, height = (row - 8) / 2;
        chart_fit(rung->name, label - 10, name, sizeof name);
        chart_text(chart, label - 8, top + row / 2, ANCHOR_END, "name", name);
        if (rung->measured > 0)
            draw_bar(chart, &x, top, height, rung->measured, "bar device best");
        if (rung->predicted > 0)
            draw_bar(chart, &x, top + height + 1, height, rung->predicted, "bar host best");
    }
    chart_end(chart);
}
