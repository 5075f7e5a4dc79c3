/* The first screen: per kernel and device what is fastest, how far from the ceiling, against the library and the
 * textbook. */
#include <string.h>

#include "base/language.h"
#include "base/message.h"
#include "base/size.h"
#include "base/translation.h"
#include "report/html/chapters.h"
#include "report/html/html.h"
#include "report/model/figure_text.h"
#include "report/model/figures.h"
#include "report/model/heading.h"
#include "report/model/vendor_ratio.h"

/* The warning about the share: that of the fastest rung, or of its ceiling; empty when there is none. */
static const char *doubt(const struct ladder *ladder)
{
    const char *own = ladder->fastest->measurement->warnings;
    return *own || !ladder->ceiling ? own : ladder->ceiling->measurement->warnings;
}

static void write_doubt(FILE *stream, const char *why)
{
    if (*why)
        html(stream, " <em class=\"doubt\" title=\"%s\">!</em>", say_message(why));
}

#define METER_END                                                                                      \
    1.5 /* share of the ceiling at a meter's end, so that a bar beyond 100 % passes the ceiling's mark \
         */

static double on_meter(double share)
{
    return 100 * (share > METER_END ? METER_END : share) / METER_END;
}

static void write_meter(FILE *stream, const struct ladder *ladder)
{
    double part = ladder->fastest->of_ceiling;
    fputs("<td class=\"of-ceiling\">", stream);
    if (part > 0) {
        html(stream, "<svg class=\"meter\"><rect class=\"whole\" width=\"%.1f%%\" height=\"100%%\"/>", on_meter(1));
        html(stream, "<rect class=\"part\" width=\"%.1f%%\" height=\"100%%\"/>", on_meter(part > 1 ? 1 : part));
        if (part > 1)
            html(stream,
                 "<rect class=\"part over\" x=\"%.1f%%\" width=\"%.1f%%\" height=\"100%%\"><title>%s</title></rect>",
                 on_meter(1), on_meter(part) - on_meter(1),
                 tr("More than the ceiling: several passes done in one, or a machine that changed between two runs."));
        if (ladder->vendor && ladder->vendor->rate > 0) {
            /* Of the same ceiling: the library's own may be another. */
            double vendor = part * figures_ratio(ladder->vendor->measurement, ladder->fastest->measurement).value;
            html(stream, "<rect class=\"vendor\" x=\"%.1f%%\"><title>%s</title></rect>", on_meter(vendor),
                 ladder->vendor->measurement->rung);
        }
        fputs("</svg>", stream);
    }
    html(stream, "<span class=\"share\">%s</span>",
         ladder->fastest->share_is_void ? tr("—, too noisy") : figure_percent(part).text);
    write_doubt(stream, doubt(ladder));
    fputs("</td>", stream);
}

static bool same_problem(const struct ladder *a, const struct ladder *b)
{
    return ladder_of(a)->cold == ladder_of(b)->cold && strcmp(ladder_of(a)->problem, ladder_of(b)->problem) == 0;
}

/* The fastest device of the kernel stands out among those that were measured on the same problem, cold or hot, if there
 * are several; a device with another problem is compared with none. The kernel's name is written once, as long as all
 * devices are shown. */
static const char *row_class(const struct kernel_view *kernel, const struct ladder *ladder)
{
    static const char *const classes[2][2] = {{"again", "again lead"}, {"", "lead"}};
    bool is_first = true, is_lead = true, has_equal = false;
    for (const struct ladder *other = kernel->ladders; other < kernel->ladders + kernel->ladder_count; other++) {
        if (!ladder_is_first_of_device(kernel, other))
            continue;
        const struct ladder *shown = kernel_representative(kernel, other);
        is_first = is_first && (shown >= ladder || !shown->fastest);
        if (shown == ladder || !shown->fastest || !same_problem(shown, ladder))
            continue;
        has_equal = true;
        is_lead = is_lead && shown->fastest->rate <= ladder->fastest->rate;
    }
    return classes[is_first][is_lead && has_equal];
}

/* The device, with its number of threads where the kernel has been measured with several. */
static void write_device(FILE *stream, const struct kernel_view *kernel, const struct measurement *of)
{
    bool several = false;
    char threads[64] = "";
    for (size_t i = 0; i < kernel->ladder_count; i++) {
        const struct measurement *other = ladder_of(&kernel->ladders[i]);
        several = several || (strcmp(other->device, of->device) == 0 && other->threads != of->threads);
    }
    if (several && of->threads)
        snprintf(threads, sizeof threads, tr_plural("%u thread", "%u threads", of->threads), of->threads);
    html(stream, "<td class=\"device\">%s%s%s</td>", of->device, *threads ? ", " : "", threads);
}

/* A cell with its heading, which a phone shows beside it; an empty one takes no place there. */
static void write_labelled(FILE *stream, const char *label, const char *text, const char *why)
{
    html(stream, "<td data-label=\"%s\"%s>%s", label, strcmp(text, "—") == 0 ? " class=\"none\"" : "", text);
    write_doubt(stream, why);
    fputs("</td>", stream);
}

static void write_row(struct page *page, const struct kernel_view *kernel, const struct ladder *ladder)
{
    const struct measurement *of = ladder_of(ladder);
    if (!ladder->fastest)
        return;
    char against[96], textbook[128] = "—", title[HEADING_BYTES];
    const struct entry *fastest = ladder->fastest;
    page_row(page, row_class(kernel, ladder), of->device);
    fputs("<th scope=\"row\">", page->stream);
    page_link(page, kernel->name, say_kernel(kernel->name));
    fputs("</th>", page->stream);
    html(page->stream, "<td class=\"size\">%s%s%s</td>", problem_title_of_kernel(of->problem, kernel->name, title),
         of->cold ? ", " : "", of->cold ? tr("cold") : "");
    write_device(page->stream, kernel, of);
    char scaled[FIGURE_UNIT_BYTES];
    double rate = fastest->rate;
    const char *unit = figure_scale(&rate, of->rate_unit, scaled);
    html(page->stream, "<td class=\"n big\" data-value=\"%g\">%s</td><td class=\"unit\">%s</td>", fastest->rate,
         figure_number(rate).text, unit);
    html(page->stream, "<td><code>%s</code></td>", fastest->measurement->rung);
    write_meter(page->stream, ladder);
    if (ladder->base && ladder->base != fastest && fastest->speed_up > 0)
        snprintf(textbook, sizeof textbook, "%s %s", figure_times(fastest->speed_up).text,
                 ladder->base->measurement->rung);
    bool has_library = *ladder_against_vendor(ladder, against, sizeof against);
    write_labelled(page->stream, tr("vs library"), has_library ? against : "—",
                   has_library ? ladder->vendor->measurement->warnings : "");
    write_labelled(page->stream, tr("vs textbook"), textbook, "");
    page_row_end(page);
}

/* "Transpose, cpu: openblas is fastest, 6.82 GB/s, 97 % of the ceiling; ours: simd 0.98×". */
static void write_sentence(struct page *page, const struct kernel_view *kernel, const struct ladder *ladder)
{
    char against[96], title[HEADING_BYTES];
    const struct measurement *of = ladder_of(ladder);
    const struct entry *fastest = ladder->fastest;
    if (!fastest || ladder_rehearses(ladder))
        return;
    html(page->stream, "<li data-device=\"%s\">", of->device);
    page_link(page, kernel->name, say_kernel(kernel->name));
    html(page->stream, ", %s, %s: ", problem_title_of_kernel(of->problem, kernel->name, title), of->device);
    html(page->stream, tr("<code>%s</code> is fastest, <b>%s</b>"), fastest->measurement->rung,
         figure_rate(fastest->rate, of->rate_unit).text);
    if (fastest->of_ceiling > 0 && !fastest->share_is_void) {
        fputs(", ", page->stream);
        html(page->stream, tr("%s of the ceiling"), figure_percent(fastest->of_ceiling).text);
    }
    if (*ladder_against_vendor(ladder, against, sizeof against))
        html(page->stream, "; %s", against);
    fputs(".</li>\n", page->stream);
}

void chapter_answers(struct page *page, const struct report *report)
{
    fputs("<ul class=\"answers\">\n", page->stream);
    for (size_t k = 0; k < report->view->kernel_count; k++)
        if (kernel_is_ladder(&report->view->kernels[k]))
            for_each_device(page, &report->view->kernels[k], write_sentence);
    fputs("</ul>\n", page->stream);
}

/* The full names of the devices. */
static void write_devices(FILE *stream, const struct view *view)
{
    const char *parting = "";
    fputs("<p class=\"note\">", stream);
    for (size_t i = 0; i < view->ladder_count; i++) {
        const struct measurement *of = ladder_of(&view->ladders[i]), *other;
        bool is_new = view->ladders[i].passed > 0, is_cpu = strcmp(of->device, "cpu") == 0;
        for (size_t j = 0; is_new && j < i; j++) {
            other = ladder_of(&view->ladders[j]);
            is_new = strcmp(other->device, of->device) != 0 || strcmp(other->device_name, of->device_name) != 0;
        }
        if (!is_new)
            continue;
        html(stream, "%s<code>%s</code> — %s", parting, of->device, of->device_name);
        if (of->device_is_cpu && !is_cpu)
            html(stream, " (%s)",
                 tr("OpenCL on a CPU: shows that the rungs are right; their order says nothing about a GPU"));
        parting = ";\n";
    }
    fputs(".</p>\n", stream);
}

void chapter_glance(struct page *page, const struct report *report)
{
    page_heading(page, 2, "glance", tr("At a glance"));
    const char *headings[] = {
        tr("kernel"), tr("problem"),        tr("device"),     tr("#fastest here"), "",
        tr("rung"),   tr("of the ceiling"), tr("vs library"), tr("vs textbook"),
    };
    page_table(page, "glance", headings, COUNT_OF(headings));
    for (size_t k = 0; k < report->view->kernel_count; k++)
        if (kernel_is_ladder(&report->view->kernels[k]))
            for_each_device(page, &report->view->kernels[k], write_row);
    page_table_end(page);
    write_devices(page->stream, report->view);
    page_paragraph(page, "note",
                   tr("Ceiling: what this machine reaches when it only moves the same bytes (or only does the same "
                      "arithmetic), measured in the same minutes. The mark on a bar is the library that a user would "
                      "pick instead. 4× faster means a quarter of the time. Bold is the fastest device of those that "
                      "were measured on the same problem. ! marks what was unsteady: point at it."));
}
