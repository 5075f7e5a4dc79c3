/* Several machines in one report: which they are, and the problems that more than one of them measured. */
#include <stdio.h>
#include <string.h>

#include "base/language.h"
#include "base/text.h"
#include "base/translation.h"
#include "report/html/chapters.h"
#include "report/html/html.h"
#include "report/model/figure_text.h"
#include "report/model/heading.h"
#include "report/model/machines.h"

const char *machine_title(const struct report *report, size_t number, char *text, size_t size)
{
    const struct view *view = report->view;
    const char *parting = "";
    snprintf(text, size, "%zu: ", number);
    if (report->source->machine && report->source->machine->cpu[0]) {
        text_append(text, size, "%s", report->source->machine->cpu);
        parting = " · ";
    }
    for (size_t i = 0; i < view->ladder_count; i++) {
        const struct measurement *of = ladder_of(&view->ladders[i]);
        bool is_new = !of->device_is_cpu && view->ladders[i].passed;
        for (size_t j = 0; is_new && j < i; j++)
            is_new = strcmp(ladder_of(&view->ladders[j])->device_name, of->device_name) != 0;
        if (is_new) {
            text_append(text, size, "%s%s", parting, of->device_name);
            parting = " · ";
        }
    }
    return text;
}

static void write_cell(FILE *stream, const struct ladder *ladder, bool is_lead)
{
    if (!ladder) {
        fputs("<td>—</td>", stream);
        return;
    }
    const struct entry *fastest = ladder->fastest;
    html(stream, "<td class=\"%s\" data-value=\"%g\"><b>%s</b><br><code>%s</code>, %s</td>", is_lead ? "lead" : "",
         fastest->rate, figure_rate(fastest->rate, fastest->measurement->rate_unit).text, fastest->measurement->rung,
         fastest->measurement->device);
}

static void write_row(struct page *page, const struct machine_row *row, size_t count)
{
    char title[HEADING_BYTES];
    const struct measurement *of = ladder_of(row->of);
    page_row(page, "", NULL);
    html(page->stream, "<th scope=\"row\">%s</th><td>%s%s%s</td>", say_kernel(of->kernel),
         problem_title_of_kernel(of->problem, of->kernel, title), of->cold ? ", " : "", of->cold ? tr("cold") : "");
    for (size_t m = 0; m < count; m++)
        write_cell(page->stream, row->cells[m], row->lead == m);
    page_row_end(page);
}

void chapter_machines(struct page *page, const struct report *reports, size_t count)
{
    char title[1024];
    const struct view *views[MACHINES_MOST];
    const char *headings[2 + MACHINES_MOST] = {tr("kernel"), tr("problem")};
    char numbers[MACHINES_MOST][24];
    struct machine_rows rows;
    for (size_t m = 0; m < count; m++) {
        views[m] = reports[m].view;
        snprintf(numbers[m], sizeof numbers[m], "%s %zu", tr("machine"), m + 1);
        headings[2 + m] = numbers[m];
    }
    machine_rows_make(views, count, &rows);
    fputs("<section>\n", page->stream);
    page_heading(page, 2, "machines", tr("Machines side by side"));
    fputs("<ul>\n", page->stream);
    for (size_t m = 0; m < count; m++)
        html(page->stream, "<li>%s</li>\n", machine_title(&reports[m], m + 1, title, sizeof title));
    fputs("</ul>\n", page->stream);
    if (rows.count) {
        page_table(page, "machines", headings, 2 + count);
        for (size_t i = 0; i < rows.count; i++)
            write_row(page, &rows.items[i], count);
        page_table_end(page);
        page_paragraph(page, "note",
                       tr("On each machine the fastest rung over its devices, OpenCL on a CPU left out. The machines "
                          "measured at different times, and maybe with different versions of the program."));
    } else {
        page_paragraph(page, "note", tr("No problem was measured on more than one of these machines."));
    }
    fputs("</section>\n", page->stream);
}
