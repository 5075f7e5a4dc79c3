/* Over ranks: strong and weak scaling of each method. */
#include <string.h>

#include "base/size.h"
#include "base/translation.h"
#include "report/html/chapters.h"
#include "report/html/charts.h"
#include "report/html/html.h"
#include "report/model/figure_text.h"
#include "report/model/figures.h"
#include "report/model/heading.h"
#include "report/model/scaling.h"

static const struct kernel_view *find(const struct view *view)
{
    for (size_t k = 0; k < view->kernel_count; k++)
        if (strcmp(view->kernels[k].name, SCALING_KERNEL) == 0)
            return &view->kernels[k];
    return NULL;
}

bool report_has_ranks(const struct view *view)
{
    return find(view) != NULL;
}

/* The speed-up is that of work in a time: with weak scaling each rank has as much of it as one alone. */
static void write_row(struct page *page, const struct entry *entry, const struct entry *alone)
{
    const struct measurement *measurement = entry->measurement;
    const unsigned ranks = scaling_ranks(measurement);
    const double speed_up = figures_ratio(measurement, alone ? alone->measurement : NULL).value *
                            (scaling_is_weak(measurement) ? ranks : 1);
    page_row(page, "", measurement->device);
    html(page->stream, "<td><code>%s</code></td>", measurement->rung);
    page_number(page, figure_count(ranks).text);
    page_number(page, figure_duration(entry->time.median).text);
    page_number(page, figure_rate(entry->rate, measurement->rate_unit).text);
    page_number(page, speed_up > 0 ? figure_times(speed_up).text : "—");
    page_number(page, speed_up > 0 ? figure_percent(speed_up / ranks).text : "—");
    page_cell(page, measurement->detail);
    page_row_end(page);
}

static void write_table(struct page *page, const struct sizes *sizes)
{
    const char *headings[] = {tr("method"),    tr("#ranks"),      tr("#median"), tr("#rate"),
                              tr("#speed-up"), tr("#efficiency"), tr("MPI")};
    page_table(page, "", headings, COUNT_OF(headings));
    for (size_t i = 0; i < sizes->line_count; i++)
        for (size_t p = 0; p < sizes->lines[i].count; p++)
            write_row(page, sizes->points[sizes->lines[i].first + p].entry, scaling_alone(sizes, &sizes->lines[i]));
    page_table_end(page);
}

static void write_scaling(struct page *page, const struct ladder *ladder, size_t number, bool is_weak)
{
    struct sizes sizes;
    struct error error;
    char name[CHART_NAME_MAX], title[1024], device[512], heading[HEADING_BYTES];
    if (scaling_make(ladder, is_weak, &sizes, &error) != STATUS_OK)
        return;
    if (sizes.line_count) {
        snprintf(name, sizeof name, "ranks/%s/%zu", is_weak ? "weak" : "strong", number);
        snprintf(title, sizeof title, "%s: %s, %s", is_weak ? tr("Weak scaling") : tr("Strong scaling"),
                 problem_title(ladder_of(ladder)->problem, heading),
                 ladder_device_title(ladder, device, sizeof device));
        page_figure(page, name, title, ladder_of(ladder)->device, draw_sizes, &sizes);
        write_table(page, &sizes);
        page_figure_end(page);
    }
    sizes_free(&sizes);
}

void chapter_ranks(struct page *page, const struct report *report)
{
    const struct kernel_view *kernel = find(report->view);
    if (!kernel)
        return;
    fputs("<section>\n", page->stream);
    page_heading(page, 2, SCALING_KERNEL, tr("Over ranks"));
    html(page->stream, "<p>%s</p>\n",
         tr("Strong scaling: one problem on more ranks. Weak scaling: as much of it on each rank. Efficiency: the "
            "speed-up over the number of ranks."));
    for (size_t l = 0; l < kernel->ladder_count; l++) {
        write_scaling(page, &kernel->ladders[l], l + 1, false);
        write_scaling(page, &kernel->ladders[l], l + 1, true);
    }
    fputs("</section>\n", page->stream);
}
