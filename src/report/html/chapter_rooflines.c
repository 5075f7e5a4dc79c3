/* The rooflines, one for each device. */
#include <string.h>

#include "base/language.h"
#include "base/size.h"
#include "base/translation.h"
#include "report/html/chapters.h"
#include "report/html/charts.h"
#include "report/model/figure_text.h"
#include "report/model/roofline.h"

static void write_roofs(struct page *page, const struct roofline *roofline)
{
    const char *headings[] = {tr("ceiling"), tr("#rate"), tr("where it is from")};
    page_table(page, "", headings, COUNT_OF(headings));
    for (size_t i = 0; i < roofline->roof_count; i++) {
        const struct roof *roof = &roofline->roofs[i];
        page_row(page, "", NULL);
        page_cell(page, roof->name);
        page_number(page, figure_rate(roof->rate, roof->is_arithmetic ? "GFLOP/s" : "GB/s").text);
        page_cell(page, tr(roof->is_probe ? N_("the ceiling's probe beside the rungs")
                                          : N_("measured as a ceiling of this device")));
        page_row_end(page);
    }
    page_table_end(page);
}

static void write_points(struct page *page, const struct roofline *roofline)
{
    char unit[64], intensity[96];
    snprintf(unit, sizeof unit, "#%s", say_unit("GFLOP/s"));
    snprintf(intensity, sizeof intensity, "#%s", tr("flop/B"));
    const char *headings[] = {tr("kernel"), tr("rung"), intensity, unit};
    page_table(page, "", headings, COUNT_OF(headings));
    for (size_t i = 0; i < roofline->point_count; i++) {
        const struct roofline_point *point = &roofline->points[i];
        page_row(page, "", NULL);
        page_cell(page, say_kernel(point->entry->measurement->kernel));
        page_cell(page, point->entry->measurement->rung);
        page_number(page, figure_number(point->intensity).text);
        page_number(page, figure_number(point->performance).text);
        page_row_end(page);
    }
    page_table_end(page);
}

static void write_roofline(struct page *page, const struct roofline *roofline, size_t variant)
{
    char name[CHART_NAME_MAX], title[512];
    const struct measurement *of = ladder_of(roofline->device);
    if (variant)
        snprintf(name, sizeof name, "roofline/%s/%zu", of->device, variant + 1);
    else
        snprintf(name, sizeof name, "roofline/%s", of->device);
    page_figure(page, name, ladder_device_title(roofline->device, title, sizeof title), of->device, draw_roofline,
                roofline);
    write_roofs(page, roofline);
    write_points(page, roofline);
    page_figure_end(page);
}

/* Is it the first ladder of its device? `variant` counts the other devices of that id before it. */
static bool is_first(const struct view *view, size_t index, size_t *variant)
{
    *variant = 0;
    for (size_t i = 0; i < index; i++) {
        if (ladder_same_device(&view->ladders[i], &view->ladders[index]))
            return false;
        size_t ignored;
        *variant += strcmp(ladder_of(&view->ladders[i])->device, ladder_of(&view->ladders[index])->device) == 0 &&
                    is_first(view, i, &ignored);
    }
    return true;
}

bool report_has_rooflines(const struct view *view)
{
    for (size_t k = 0; k < view->kernel_count; k++)
        for (size_t l = 0; kernel_is_ladder(&view->kernels[k]) && l < view->kernels[k].ladder_count; l++)
            if (view->kernels[k].ladders[l].passed && ladder_of(&view->kernels[k].ladders[l])->operations > 0)
                return true;
    return false;
}

void chapter_rooflines(struct page *page, const struct report *report)
{
    const struct view *view = report->view;
    bool is_open = false;
    for (size_t i = 0; i < view->ladder_count; i++) {
        struct roofline roofline;
        struct error error;
        size_t variant;
        if (!is_first(view, i, &variant) ||
            roofline_make(view, &view->ladders[i], report->source->ceilings, &roofline, &error) != STATUS_OK)
            continue;
        if (roofline.point_count) {
            if (!is_open) {
                fputs("<section>\n", page->stream);
                page_heading(page, 2, "roofline", tr("Roofline"));
                page_paragraph(
                    page, "",
                    tr("How fast a rung computes, over how much it computes for each byte that must be moved. The "
                       "slopes are memory and caches, the levels are arithmetic. Above the slope of memory are only "
                       "rungs that do several passes in one, or whose data stay in a cache. Kernels that only move "
                       "data have no place here."));
                is_open = true;
            }
            write_roofline(page, &roofline, variant);
        }
        roofline_free(&roofline);
    }
    if (is_open)
        fputs("</section>\n", page->stream);
}
