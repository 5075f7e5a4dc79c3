/* Moving data: bandwidths over sizes, jobs with every kind of host memory, jobs in parts with their timelines. */
#include <string.h>

#include "base/message.h"
#include "base/size.h"
#include "base/translation.h"
#include "report/html/chapters.h"
#include "report/html/charts.h"
#include "report/html/html.h"
#include "report/model/figure_text.h"
#include "report/model/figures.h"
#include "report/model/heading.h"
#include "report/model/transfers.h"

static const struct kernel_view *find(const struct view *view, const char *name)
{
    for (size_t k = 0; k < view->kernel_count; k++)
        if (strcmp(view->kernels[k].name, name) == 0)
            return &view->kernels[k];
    return NULL;
}

bool report_has_motion(const struct view *view)
{
    return find(view, "bandwidth") || find(view, "overlap") || find(view, "memory");
}

static void write_ways(struct page *page, const struct kernel_view *kernel, const struct ladder *ladder)
{
    struct sizes sizes;
    struct error error;
    char name[CHART_NAME_MAX], title[512];
    if (sizes_of_copy_paths(kernel, ladder, &sizes, &error) != STATUS_OK)
        return;
    if (sizes.line_count) {
        page_figure(page, ladder_chart_name(kernel, ladder, "size", name),
                    ladder_device_title(ladder, title, sizeof title), ladder_of(ladder)->device, draw_sizes, &sizes);
        sizes_table(page, &sizes);
        page_figure_end(page);
    }
    sizes_free(&sizes);
}

/* One form of a job: its parameters, times, speed-up over the first form, and share of the ceiling. */
static void write_form(struct page *page, const struct entry *entry, const struct entry *first)
{
    const struct measurement *measurement = entry->measurement;
    char title[HEADING_BYTES];
    page_row(page, entry->rate > 0 ? "" : "skip", measurement->device);
    page_cell(page, problem_title(measurement->problem, title));
    page_cell(page, measurement->device);
    html(page->stream, "<td><code>%s</code></td><td><code>%s</code>", measurement->rung, measurement->parameters);
    if (*say_message(measurement->reason))
        html(page->stream, "<br><em>%s</em>", say_message(measurement->reason));
    fputs("</td>", page->stream);
    const struct summary *time = entry->end_to_end.count ? &entry->end_to_end : &entry->time;
    const double speed_up = figures_ratio(measurement, first ? first->measurement : NULL).value;
    page_number(page, figure_duration(time->median).text);
    page_number(page, speed_up > 0 ? figure_times(speed_up).text : "—");
    page_number(page, entry->share_is_void ? tr("—, too noisy") : figure_percent(entry->of_ceiling).text);
    page_row_end(page);
}

/* Every form of the kernel's jobs, not only one of each rung; the first that passed is what others are compared with.
 */
static void write_forms(struct page *page, const struct kernel_view *kernel)
{
    const char *headings[] = {
        tr("problem"),   tr("device"),          tr("rung"), tr("parameters"), tr("#end-to-end time"),
        tr("#speed-up"), tr("#of the ceiling"),
    };
    page_table(page, "", headings, COUNT_OF(headings));
    for (size_t l = 0; l < kernel->ladder_count; l++) {
        const struct ladder *ladder = &kernel->ladders[l];
        const struct entry *first = NULL;
        for (size_t i = 0; i < ladder->entry_count; i++) {
            const struct entry *entry = &ladder->entries[i];
            if (entry->measurement->kind == MEASURED_PROBE ||
                entry->measurement->run != ladder->entries[ladder->entry_count - 1].measurement->run)
                continue;
            first = first || !(entry->rate > 0) ? first : entry;
            write_form(page, entry, first);
        }
    }
    page_table_end(page);
}

static const struct entry *entry_of(const struct kernel_view *kernel, int64_t measurement)
{
    for (size_t l = 0; l < kernel->ladder_count; l++)
        for (size_t i = 0; i < kernel->ladders[l].entry_count; i++)
            if (kernel->ladders[l].entries[i].measurement->id == measurement)
                return &kernel->ladders[l].entries[i];
    return NULL;
}

/* The timelines of the newest measurements, at most TIMELINES_MOST. */
static void write_timelines(struct page *page, const struct kernel_view *kernel, const struct report_source *source)
{
    enum { TIMELINES_MOST = 8 };
    size_t shown = 0;
    for (size_t i = source->attachment_count; i-- > 0 && shown < TIMELINES_MOST;) {
        struct timeline_view timeline;
        char name[CHART_NAME_MAX], title[800];
        const struct entry *entry = entry_of(kernel, source->attachments[i].measurement);
        if (!entry || strcmp(source->attachments[i].kind, "timeline") != 0 ||
            !timeline_read(source->attachments[i].text, &timeline))
            continue;
        const struct measurement *measurement = entry->measurement;
        snprintf(name, sizeof name, "overlap/timeline/%s/%zu", measurement->device, ++shown);
        snprintf(title, sizeof title, "%s: %s, %s, %s", tr("Timeline"), measurement->device, measurement->rung,
                 measurement->parameters);
        page_figure(page, name, title, measurement->device, draw_timeline, &timeline);
        write_forms(page, kernel);
        page_figure_end(page);
        timeline_view_free(&timeline);
    }
    if (!shown)
        write_forms(page, kernel);
}

void chapter_motion(struct page *page, const struct report *report)
{
    const struct kernel_view *bandwidth = find(report->view, "bandwidth"), *overlap = find(report->view, "overlap"),
                             *memory = find(report->view, "memory");
    if (!report_has_motion(report->view))
        return;
    fputs("<section>\n", page->stream);
    page_heading(page, 2, "motion", tr("Moving data"));
    if (bandwidth)
        for (size_t l = 0; l < bandwidth->ladder_count; l++)
            if (ladder_is_first_of_device(bandwidth, &bandwidth->ladders[l]))
                write_ways(page, bandwidth, &bandwidth->ladders[l]);
    if (memory) {
        page_heading(page, 3, NULL, tr("Kinds of host memory"));
        write_forms(page, memory);
    }
    if (overlap) {
        page_heading(page, 3, NULL, tr("Overlap of copies and work"));
        write_timelines(page, overlap, report->source);
    }
    fputs("</section>\n", page->stream);
}
