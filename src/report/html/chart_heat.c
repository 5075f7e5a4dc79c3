/* A sweep as a map of cells from best to worst, the best one marked. */
#include <math.h>

#include "base/language.h"
#include "report/html/charts.h"
#include "report/model/command.h"
#include "report/model/figure_text.h"
#include "report/model/sweep_map.h"

#define SHADES 9
#define CELL_HEIGHT 30.0

/* 0 (best) … SHADES - 1 on a logarithmic scale of times. */
static int shade_of(const struct sweep_map *map, const struct entry *entry)
{
    double range = map->slowest > map->fastest ? log(map->slowest / map->fastest) : 1;
    double place = log(entry->time.median / map->fastest) / range;
    return (int)lround(fmin(fmax(place, 0), 1) * (SHADES - 1));
}

static void draw_cell(struct chart *chart, const struct sweep_map *map, const struct entry *entry, double x, double y,
                      double width)
{
    char tip[1024], command[640], text[80], class[32];
    bool is_best = entry == map->best;
    double unit = sweep_unit(map, NULL);
    chart_mark_begin(chart, "", entry_tip(entry, tip, sizeof tip), entry_command(entry, command, sizeof command));
    snprintf(class, sizeof class, "cell heat-%d", entry->rate > 0 ? shade_of(map, entry) : SHADES);
    chart_box(chart, x, y, width - 1, CELL_HEIGHT - 1, class);
    if (is_best)
        chart_box(chart, x + 1.5, y + 1.5, width - 4, CELL_HEIGHT - 4, "best-cell");
    snprintf(text, sizeof text, "%s%s", entry->rate > 0 ? figure_number(entry->time.median / unit).text : "–",
             is_best ? "★" : "");
    if (0.9 * chart_text_width(text) < width - 3) {
        snprintf(class, sizeof class, "%s",
                 !(entry->rate > 0)          ? "cell-none"
                 : shade_of(map, entry) >= 6 ? "cell-pale"
                                             : "cell-text");
        chart_text(chart, x + width / 2, y + CELL_HEIGHT / 2 + 4, ANCHOR_MIDDLE, class, text);
    } else if (is_best) {
        chart_text(chart, x + width / 2, y + CELL_HEIGHT / 2 + 4, ANCHOR_MIDDLE, "cell-text", "★");
    }
    chart_mark_end(chart);
}

static void draw_scale(struct chart *chart, const struct sweep_map *map, double y)
{
    char text[96], class[32];
    double x = chart->left, width = 18;
    snprintf(text, sizeof text, "%s", figure_duration(map->fastest).text);
    chart_text(chart, x, y, ANCHOR_START, "tick", text);
    x += chart_text_width(text) + 8;
    for (int shade = 0; shade < SHADES; shade++) {
        snprintf(class, sizeof class, "cell heat-%d", shade);
        chart_box(chart, x + width * shade, y - 11, width, 13, class);
    }
    chart_text(chart, x + width * SHADES + 8, y, ANCHOR_START, "tick", figure_duration(map->slowest).text);
}

/* Nanoseconds in the unit of the cells' times: the best cell's. */
double sweep_unit(const struct sweep_map *map, const char **name)
{
    static const char *const names[] = {"ns", "µs", "ms", "s"};
    size_t unit = 0;
    double size = 1;
    while (unit < 3 && map->fastest >= size * 1000) {
        size *= 1000;
        unit++;
    }
    if (name)
        *name = say_unit(names[unit]);
    return size;
}

static void draw_names(struct chart *chart, const struct sweep_map *map, double cell)
{
    char text[96];
    snprintf(text, sizeof text, "%s →", map->columns.name);
    chart_text(chart, chart->left, chart->top - 24, ANCHOR_START, "soft", text);
    if (*map->rows.name) {
        snprintf(text, sizeof text, "%s ↓", map->rows.name);
        chart_text(chart, chart->left - 8, chart->top - 7, ANCHOR_END, "soft", text);
    }
    for (size_t column = 0; column < map->columns.count; column++) {
        snprintf(text, sizeof text, "%.0f", map->columns.values[column]);
        if (cell > 26 || column % 2 == 0)
            chart_text(chart, chart->left + cell * ((double)column + 0.5), chart->top - 7, ANCHOR_MIDDLE, "tick", text);
    }
    for (size_t row = 0; row < map->rows.count && *map->rows.name; row++) {
        snprintf(text, sizeof text, "%.0f", map->rows.values[row]);
        chart_text(chart, chart->left - 8, chart->top + CELL_HEIGHT * ((double)row + 0.5) + 4, ANCHOR_END, "tick",
                   text);
    }
}

void draw_heat(struct chart *chart, const void *data)
{
    const struct sweep_map *map = data;
    char label[256];
    chart->left = *map->rows.name ? 26 + chart_text_width(map->rows.name) : 8;
    chart->left = fmax(chart->left, 50);
    chart->top = 44;
    double cell = fmin((chart->width - chart->left - 6) / (double)map->columns.count, 84);
    chart->bottom = chart->top + CELL_HEIGHT * (double)map->rows.count;
    snprintf(label, sizeof label, "%s: %s × %s", map->rung, map->columns.name, map->rows.name);
    chart_begin(chart, chart->bottom + 34, label);
    draw_names(chart, map, cell);
    for (size_t row = 0; row < map->rows.count; row++)
        for (size_t column = 0; column < map->columns.count; column++) {
            const struct entry *entry = map->cells[row * map->columns.count + column];
            if (entry)
                draw_cell(chart, map, entry, chart->left + cell * (double)column,
                          chart->top + CELL_HEIGHT * (double)row, cell);
        }
    draw_scale(chart, map, chart->bottom + 24);
    chart_end(chart);
}
