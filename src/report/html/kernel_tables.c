/* A kernel's tables without charts: speed-ups with their errors, and every problem that was measured. */
#include <string.h>

#include "base/language.h"
#include "base/size.h"
#include "base/translation.h"
#include "report/html/chapters.h"
#include "report/html/html.h"
#include "report/model/command.h"
#include "report/model/figure_text.h"
#include "report/model/heading.h"
#include "report/model/vendor_ratio.h"

static struct figure with_deviation(const struct summary *summary)
{
    static const struct {
        const char *name;
        double size;
    } units[] = {{"s", 1e9}, {"ms", 1e6}, {"µs", 1e3}, {"ns", 1}};
    size_t unit = 0;
    while (unit < 3 && summary->mean < units[unit].size)
        unit++;
    struct figure figure = figure_with_error(summary->mean / units[unit].size, summary->deviation / units[unit].size);
    size_t length = strlen(figure.text);
    snprintf(figure.text + length, sizeof figure.text - length, "\u00A0%s", say_unit(units[unit].name));
    return summary->count ? figure : (struct figure){"—"};
}

static void write_speed_up(struct page *page, const struct summary *first, const struct summary *rung, bool is_first)
{
    struct speed_up speed_up = speed_up_of(first, rung);
    page_number(page, with_deviation(rung).text);
    page_number(page, is_first ? "1" : figure_with_error(speed_up.value, speed_up.error).text);
}

static void write_speed_ups(struct page *page, const struct kernel_view *kernel, const struct ladder *ladder)
{
    (void)kernel;
    for (size_t i = 0; i < ladder->rung_count && ladder->base && !ladder->base->is_void; i++) {
        const struct entry *entry = ladder->rungs[i], *base = ladder->base;
        if (!(entry->rate > 0))
            continue;
        page_row(page, "", entry->measurement->device);
        html(page->stream, "<td><code>%s</code></td><td>%s</td>", entry->measurement->rung, entry->measurement->device);
        write_speed_up(page, &base->time, &entry->time, base == entry);
        write_speed_up(page, &base->end_to_end, &entry->end_to_end, base == entry);
        page_row_end(page);
    }
}

void kernel_speed_ups(struct page *page, const struct kernel_view *kernel)
{
    const char *headings[] = {
        tr("rung"), tr("device"), tr("#kernel time"), tr("#speed-up"), tr("#end-to-end time"), tr("#speed-up"),
    };
    page_fold(page, tr("Speed-ups with their errors"));
    page_table(page, "", headings, COUNT_OF(headings));
    for_each_device(page, kernel, write_speed_ups);
    page_table_end(page);
    page_paragraph(page, "note",
                   tr("Mean ± sample standard deviation. The speed-up is over the ladder's first rung on the CPU "
                      "(where none ran, on the device); its error is (s_first·t + t_first·s) / t². Whole: from host "
                      "memory to host memory."));
    page_fold_end(page);
}

static void write_problem(struct page *page, const struct ladder *ladder)
{
    char against[96], passed[64], command[640], title[HEADING_BYTES];
    const struct measurement *of = ladder_of(ladder);
    page_row(page, "", of->device);
    page_cell(page, problem_title(of->problem, title));
    page_command_cell(page, ladder_command(ladder, command, sizeof command));
    page_cell(page, of->device);
    page_cell(page, tr(of->cold ? N_("cold") : N_("hot")));
    page_cell(page, ladder->fastest ? ladder->fastest->measurement->rung : "—");
    page_number(page, ladder->fastest  ? figure_rate(ladder->fastest->rate, of->rate_unit).text
                      : ladder->passed ? tr("—, too noisy")
                                       : "—");
    page_number(page, ladder->fastest && ladder->fastest->share_is_void
                          ? tr("—, too noisy")
                          : figure_percent(ladder->fastest ? ladder->fastest->of_ceiling : 0).text);
    page_cell(page, ladder_against_vendor(ladder, against, sizeof against));
    snprintf(passed, sizeof passed, "%zu / %zu", ladder->passed, ladder->rung_count);
    page_number(page, passed);
    page_row_end(page);
}

void kernel_problems(struct page *page, const struct kernel_view *kernel)
{
    enum { SHOWN = 300 };
    const char *headings[] = {
        tr("problem"),    "",           tr("device"), tr("caches"), tr("fastest"), tr("#rate"), tr("#of the ceiling"),
        tr("vs library"), tr("#right"),
    };
    char text[128];
    snprintf(text, sizeof text, tr_plural("%zu measured problem", "All %zu measured problems", kernel->ladder_count),
             kernel->ladder_count);
    page_fold(page, text);
    page_table(page, "", headings, COUNT_OF(headings));
    size_t shown = 0;
    for (size_t i = 0; i < kernel->ladder_count && shown < SHOWN; i++)
        if (kernel->ladders[i].rung_count) {
            write_problem(page, &kernel->ladders[i]);
            shown++;
        }
    page_table_end(page);
    if (shown < kernel->ladder_count && shown == SHOWN)
        page_paragraph(page, "note", tr("There are more in the store: see uskor history."));
    page_fold_end(page);
}
