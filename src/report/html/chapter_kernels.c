/* A chapter for each kernel, and what its parts share. */
#include <string.h>

#include "base/language.h"
#include "base/size.h"
#include "base/translation.h"
#include "report/html/chapters.h"
#include "report/html/html.h"
#include "report/model/figure_text.h"
#include "report/model/heading.h"

bool kernel_is_ladder(const struct kernel_view *kernel)
{
    static const char *const others[] = {"bandwidth", "peers",   "overlap",  "memory",  "ranks",
                                         "accuracy",  "ceiling", "ceilings", "latency", "program"};
    for (size_t i = 0; i < COUNT_OF(others); i++)
        if (strcmp(kernel->name, others[i]) == 0)
            return false;
    for (size_t i = 0; i < kernel->ladder_count; i++)
        if (kernel->ladders[i].rung_count)
            return true;
    return false;
}

/* Bytes, and operations where there are any, of the problem that the kernel is shown by. */
static void write_problem(struct page *page, const struct kernel_view *kernel)
{
    const struct measurement *of = ladder_of(kernel_representative(kernel, kernel->ladders));
    char title[HEADING_BYTES];
    html(page->stream, "<p class=\"problem\">%s · ", problem_title(of->problem, title));
    html(page->stream, tr("%s must be moved at least"), figure_bytes(of->bytes).text);
    if (of->operations > 0)
        html(page->stream, tr(", %s Gflop done"), figure_number(of->operations / 1e9).text);
    html(page->stream, " · %s</p>\n",
         tr(of->cold ? N_("cold: caches are flushed before every run")
                     : N_("hot: runs follow each other over the same arrays")));
}

static void write_kernel(struct page *page, const struct kernel_view *kernel)
{
    fputs("<section>\n", page->stream);
    page_heading(page, 2, kernel->name, say_kernel(kernel->name));
    write_problem(page, kernel);
    kernel_panels(page, kernel);
    kernel_ladders(page, kernel);
    kernel_speed_ups(page, kernel);
    kernel_sizes(page, kernel);
    kernel_versions(page, kernel);
    kernel_sweeps(page, kernel);
    kernel_problems(page, kernel);
    fputs("</section>\n", page->stream);
}

void chapter_kernels(struct page *page, const struct report *report)
{
    for (size_t k = 0; k < report->view->kernel_count; k++)
        if (kernel_is_ladder(&report->view->kernels[k]))
            write_kernel(page, &report->view->kernels[k]);
}
