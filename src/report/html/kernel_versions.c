/* A kernel's rates over versions of the program, one chart for each device; behind it a table of rungs and versions. */
#include <stdio.h>

#include "base/translation.h"
#include "report/html/chapters.h"
#include "report/html/charts.h"
#include "report/model/heading.h"
#include "report/model/versions.h"

static void write_versions(struct page *page, const struct kernel_view *kernel, const struct ladder *ladder)
{
    struct versions versions;
    struct error error;
    char name[CHART_NAME_MAX], title[1024], device[512], heading[HEADING_BYTES];
    if (versions_make(ladder, &versions, &error) != STATUS_OK)
        return;
    if (versions.sizes.line_count) {
        snprintf(title, sizeof title, "%s: %s, %s", tr("Rate over versions"),
                 problem_title(ladder_of(ladder)->problem, heading),
                 ladder_device_title(ladder, device, sizeof device));
        page_figure(page, ladder_chart_name(kernel, ladder, "versions", name), title, ladder_of(ladder)->device,
                    draw_sizes, &versions.sizes);
        sizes_table(page, &versions.sizes);
        page_paragraph(page, "note",
                       tr("Runs of different versions were not interleaved; a ceiling that moves as much says that the "
                          "machine did, not the program. For one version against another: uskor compare."));
        page_figure_end(page);
    }
    versions_free(&versions);
}

void kernel_versions(struct page *page, const struct kernel_view *kernel)
{
    for_each_device(page, kernel, write_versions);
}
