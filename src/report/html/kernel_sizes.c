/* A kernel's rates over sizes, one chart for each device; behind it a table of rungs and sizes. */
#include <stdlib.h>

#include "base/statistics.h"
#include "base/translation.h"
#include "report/html/chapters.h"
#include "report/html/charts.h"
#include "report/html/html.h"
#include "report/model/figure_text.h"
#include "report/model/sizes.h"

/* The distinct sizes of all lines in ascending order; the caller frees them. */
static double *distinct_sizes(const struct sizes *sizes, size_t *count)
{
    double *values = calloc(sizes->point_count + 1, sizeof *values);
    *count = 0;
    if (!values)
        return NULL;
    for (size_t i = 0; i < sizes->point_count; i++)
        values[i] = sizes->points[i].x;
    qsort(values, sizes->point_count, sizeof *values, statistics_compare);
    for (size_t i = 0; i < sizes->point_count; i++)
        if (i == 0 || values[i] != values[i - 1])
            values[(*count)++] = values[i];
    return values;
}

static void write_heading(struct page *page, const struct sizes *sizes, const double *values, size_t count)
{
    html(page->stream, "<div class=\"scroll\"><table><thead><tr><th>%s</th>", sizes->axis);
    for (size_t i = 0; i < count; i++)
        html(page->stream, "<th class=\"n\">%s</th>",
             sizes->x_names    ? sizes->x_names[(size_t)values[i] - 1]
             : sizes->of_bytes ? figure_bytes(values[i]).text
                               : figure_count((size_t)values[i]).text);
    fputs("</tr></thead><tbody>\n", page->stream);
}

void sizes_table(struct page *page, const struct sizes *sizes)
{
    size_t count;
    char name[SIZE_NAME_MAX];
    double *values = distinct_sizes(sizes, &count);
    if (!values)
        return;
    write_heading(page, sizes, values, count);
    for (size_t i = 0; i < sizes->line_count; i++) {
        const struct size_line *line = &sizes->lines[i];
        page_row(page, "", NULL);
        page_cell(page, sizes_line_name(line, name, sizeof name));
        for (size_t v = 0, p = 0; v < count; v++) {
            const struct entry *entry = NULL;
            for (; p < line->count && sizes->points[line->first + p].x <= values[v]; p++)
                entry = sizes->points[line->first + p].entry;
            page_number(page, figure_number(entry ? entry->rate : 0).text);
        }
        page_row_end(page);
    }
    page_table_end(page);
    free(values);
}

static void write_sizes(struct page *page, const struct kernel_view *kernel, const struct ladder *ladder)
{
    struct sizes sizes;
    struct error error;
    char name[CHART_NAME_MAX], title[700], device[512];
    if (sizes_make(kernel, ladder, &sizes, &error) != STATUS_OK)
        return;
    if (sizes.line_count) {
        snprintf(title, sizeof title, "%s: %s", tr("Rate over size"),
                 ladder_device_title(ladder, device, sizeof device));
        page_figure(page, ladder_chart_name(kernel, ladder, "size", name), title, ladder_of(ladder)->device, draw_sizes,
                    &sizes);
        sizes_table(page, &sizes);
        page_figure_end(page);
    }
    sizes_free(&sizes);
}

void kernel_sizes(struct page *page, const struct kernel_view *kernel)
{
    for_each_device(page, kernel, write_sizes);
}
