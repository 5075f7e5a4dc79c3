/* A kernel's sweeps as heat maps, each with its table. */
#include <string.h>

#include "base/text.h"
#include "base/translation.h"
#include "report/html/chapters.h"
#include "report/html/charts.h"
#include "report/html/html.h"
#include "report/model/figure_text.h"
#include "report/model/heading.h"
#include "report/model/sweep_map.h"

#define SWEEPS_MOST 12 /* of a kernel; `uskor history` has the others */

static void write_table(struct page *page, const struct sweep_map *map)
{
    const char *unit;
    double size = sweep_unit(map, &unit);
    html(page->stream, "<div class=\"scroll\"><table><thead><tr><th>%s \\ %s, %s</th>", map->rows.name,
         map->columns.name, unit);
    for (size_t c = 0; c < map->columns.count; c++)
        html(page->stream, "<th class=\"n\">%.0f</th>", map->columns.values[c]);
    fputs("</tr></thead><tbody>\n", page->stream);
    for (size_t r = 0; r < map->rows.count; r++) {
        page_row(page, "", NULL);
        if (*map->rows.name)
            html(page->stream, "<th class=\"n\">%.0f</th>", map->rows.values[r]);
        else
            page_cell(page, "");
        for (size_t c = 0; c < map->columns.count; c++) {
            const struct entry *entry = map->cells[r * map->columns.count + c];
            char text[80];
            snprintf(text, sizeof text, "%s%s", entry == map->best && entry ? "★ " : "",
                     entry && entry->rate > 0 ? figure_number(entry->time.median / size).text
                     : entry                  ? "–"
                                              : "");
            page_number(page, text);
        }
        page_row_end(page);
    }
    page_table_end(page);
}

static void write_map(struct page *page, const struct kernel_view *kernel, const struct sweep_map *map, size_t number)
{
    char name[CHART_NAME_MAX], title[900], what[96], problem[HEADING_BYTES];
    const char *unit;
    const struct measurement *of = ladder_of(map->ladder);
    sweep_unit(map, &unit);
    snprintf(what, sizeof what, "sweep/%s", map->rung);
    ladder_chart_name(kernel, map->ladder, what, name);
    if (number)
        text_append(name, sizeof name, "/%zu", number + 1);
    snprintf(title, sizeof title, "%s: %s, %s · %s", tr("Sweep of parameters"), map->rung, of->device,
             problem_title(of->problem, problem));
    page_figure(page, name, title, of->device, draw_heat, map);
    write_table(page, map);
    page_figure_end(page);
    html(page->stream, "<p class=\"note\" data-device=\"%s\">", of->device);
    html(page->stream, tr("Cells are medians in %s. ★ best: %s, %s, %s; – : the device does not allow it."), unit,
         map->best->measurement->parameters, figure_duration(map->best->time.median).text,
         figure_rate(map->best->rate, of->rate_unit).text);
    if (map->others)
        html(page->stream, " %s", tr("Other parameters vary too: each cell shows the best of them."));
    fputs("</p>\n", page->stream);
}

/* How many sweeps of the same rung and device were shown before this ladder. */
static size_t shown_before(const struct kernel_view *kernel, const struct ladder *ladder, const char *rung)
{
    size_t count = 0;
    for (const struct ladder *other = kernel->ladders; other < ladder; other++) {
        struct sweep_map map;
        for (size_t s = 0; ladder_same_device(other, ladder) && sweep_map_make(other, s, &map); s++) {
            count += map.best && strcmp(map.rung, rung) == 0;
            sweep_map_free(&map);
        }
    }
    return count;
}

void kernel_sweeps(struct page *page, const struct kernel_view *kernel)
{
    size_t shown = 0;
    for (size_t l = 0; l < kernel->ladder_count && shown < SWEEPS_MOST; l++) {
        struct sweep_map map;
        const struct ladder *ladder = &kernel->ladders[l];
        for (size_t s = 0; shown < SWEEPS_MOST && sweep_map_make(ladder, s, &map); s++) {
            if (map.best) {
                write_map(page, kernel, &map, shown_before(kernel, ladder, map.rung));
                shown++;
            }
            sweep_map_free(&map);
        }
    }
}
