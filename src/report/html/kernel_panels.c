/* A kernel's ladders side by side, over devices and problems; behind them their shares as a table. */
#include <stdio.h>

#include "base/translation.h"
#include "report/html/chapters.h"
#include "report/html/charts.h"
#include "report/html/html.h"
#include "report/model/figure_text.h"
#include "report/model/heading.h"
#include "report/model/panels.h"

static void write_row(struct page *page, const struct panel_row *row)
{
    char title[HEADING_BYTES];
    const struct measurement *of = ladder_of(row->ladders[0]);
    html(page->stream, "<div class=\"scroll\"><table><thead><tr><th>%s</th>", of->device);
    for (size_t l = 0; l < row->ladder_count; l++)
        html(page->stream, "<th class=\"n\">%s</th>",
             problem_title_of_kernel(ladder_of(row->ladders[l])->problem, of->kernel, title));
    fputs("</tr></thead><tbody>\n", page->stream);
    for (size_t i = 0; i < row->rung_count; i++) {
        page_row(page, "", NULL);
        page_cell(page, row->rungs[i]);
        for (size_t l = 0; l < row->ladder_count; l++) {
            const struct entry *entry = panel_entry(row->ladders[l], row->rungs[i]);
            page_number(page, entry && entry->share_is_void ? tr("—, too noisy")
                                                            : figure_percent(entry ? entry->of_ceiling : 0).text);
        }
        page_row_end(page);
    }
    page_table_end(page);
}

void kernel_panels(struct page *page, const struct kernel_view *kernel)
{
    struct panels panels;
    char name[CHART_NAME_MAX];
    panels_make(kernel, &panels);
    if (panels.panel_count < 2) /* the one ladder's own chart says it better */
        return;
    snprintf(name, sizeof name, "%s/panels", kernel->name);
    page_figure(page, name, tr("Side by side: each rung's share of the ceiling"), NULL, draw_panels, &panels);
    for (size_t r = 0; r < panels.row_count; r++)
        write_row(page, &panels.rows[r]);
    page_figure_end(page);
}
