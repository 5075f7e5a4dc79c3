#include "report/document.h"

#include <string.h>

#include "base/embedded.h"
#include "base/language.h"
#include "base/size.h"
#include "base/translation.h"
#include "report/chapters.h"
#include "report/figure.h"
#include "report/html.h"
#include "report/palette.h"

static void write_embedded(FILE *stream, const char *path)
{
    const struct embedded_file *file = embedded_find(path);
    (void)fwrite(file->text, 1, file->bytes, stream);
}

static void write_head(FILE *stream)
{
    html(stream, "<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n",
         language_code(language_now()));
    fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<link rel=\"icon\" href=\"data:,\">\n",
          stream);
    fputs(REPORT_MARK "\n", stream);
    html(stream, "<title>%s</title>\n<style>\n", tr("Uskor: what is fast here"));
    palette_write_page(stream);
    write_embedded(stream, "report/chart.css");
    write_embedded(stream, "report/report.css");
    fputs("</style>\n</head>\n<body>\n", stream);
}

/* The devices that the page can be narrowed to; nothing when there is but one. */
static void write_device_buttons(FILE *stream, const struct view *view)
{
    const char *ids[32];
    size_t count = 0;
    for (size_t i = 0; i < view->ladder_count && count < COUNT_OF(ids); i++) {
        bool is_known = !view->ladders[i].passed;
        for (size_t d = 0; d < count; d++)
            is_known = is_known || strcmp(ids[d], ladder_of(&view->ladders[i])->device) == 0;
        if (!is_known)
            ids[count++] = ladder_of(&view->ladders[i])->device;
    }
    if (count < 2)
        return;
    html(stream,
         "<span class=\"choice\" role=\"group\" aria-label=\"%s\"><button data-show=\"\" "
         "aria-pressed=\"true\">%s</button>",
         tr("device"), tr("all devices"));
    for (size_t d = 0; d < count; d++)
        html(stream, "<button data-show=\"%s\" aria-pressed=\"false\">%s</button>", ids[d], ids[d]);
    fputs("</span>\n", stream);
}

/* The machine's processor, and what else was measured: each name once. */
static void write_machine(FILE *stream, const struct report *report)
{
    const struct view *view = report->view;
    if (report->source->machine && report->source->machine->cpu[0])
        html(stream, "%s · ", report->source->machine->cpu);
    for (size_t i = 0; i < view->ladder_count; i++) {
        const struct measurement *of = ladder_of(&view->ladders[i]);
        bool is_new = !of->device_is_cpu && view->ladders[i].passed;
        for (size_t j = 0; is_new && j < i; j++)
            is_new = strcmp(ladder_of(&view->ladders[j])->device_name, of->device_name) != 0;
        if (is_new)
            html(stream, "%s · ", of->device_name);
    }
}

static void write_header(FILE *stream, const struct report *report)
{
    const struct report_source *source = report->source;
    html(stream, "<header>\n<h1>%s</h1>\n<p class=\"machine\">", tr("What is fast here, and how far from the limit"));
    write_machine(stream, report);
    html(stream, "%s · uskor %s</p>\n<div class=\"tools\">", figure_moment(source->made_at).text, source->code_version);
    write_device_buttons(stream, report->view);
    html(stream, "<button id=\"theme\" data-light=\"%s\" data-dark=\"%s\">%s</button></div>\n</header>\n", tr("light"),
         tr("dark"), tr("dark"));
}

static void write_link(FILE *stream, const char *id, const char *title)
{
    html(stream, "<a href=\"#%s\">%s</a>\n", id, title);
}

static void write_navigation(FILE *stream, const struct report *report)
{
    const struct report_source *source = report->source;
    html(stream, "<nav aria-label=\"%s\">\n", tr("Contents"));
    for (size_t k = 0; k < report->view->kernel_count; k++)
        if (kernel_is_ladder(&report->view->kernels[k]))
            write_link(stream, report->view->kernels[k].name, say_kernel(report->view->kernels[k].name));
    if (report_has_rooflines(report->view))
        write_link(stream, "roofline", tr("Roofline"));
    if (report_has_motion(report->view))
        write_link(stream, "motion", tr("Moving data"));
    for (size_t i = 0; i < source->chapter_count; i++)
        write_link(stream, source->chapters[i].id, source->chapters[i].title);
    if (source->machine)
        write_link(stream, "machine", tr("The machine"));
    write_link(stream, "method", tr("How this was measured"));
    fputs("</nav>\n", stream);
}

static void write_body(struct page *page, const struct report *report)
{
    static void (*const chapters[])(struct page *, const struct report *) = {
        chapter_glance, chapter_belief, chapter_kernels, chapter_rooflines, chapter_motion};
    const struct report_source *source = report->source;
    write_header(page->stream, report);
    write_navigation(page->stream, report);
    fputs("<main>\n", page->stream);
    for (size_t i = 0; i < COUNT_OF(chapters); i++)
        chapters[i](page, report);
    for (size_t i = 0; i < source->chapter_count; i++) {
        fputs("<section>\n", page->stream);
        page_heading(page, 2, source->chapters[i].id, source->chapters[i].title);
        source->chapters[i].write(page, source->chapters[i].context);
        fputs("</section>\n", page->stream);
    }
    chapter_machine(page, report);
    chapter_method(page, report);
    fputs("</main>\n", page->stream);
}

static void write_end(FILE *stream)
{
    html(stream, "<div id=\"tip\" role=\"status\" hidden data-copied=\"%s\" data-hint=\"%s\"></div>\n", tr("copied:"),
         tr("click: copy the command"));
    fputs("<svg width=\"0\" height=\"0\" aria-hidden=\"true\">", stream);
    chart_write_hatch(stream);
    fputs("</svg>\n<script>\n", stream);
    write_embedded(stream, "report/report.js");
    fputs("</script>\n</body>\n</html>\n", stream);
}

enum status report_document(struct page *page, const struct report_source *source, struct error *error)
{
    struct view view;
    enum status status = view_make(source->measurements, &view, error);
    if (status != STATUS_OK)
        return status;
    struct report report = {.source = source, .view = &view};
    bool is_empty = source->chapter_count == 0;
    for (size_t k = 0; k < view.kernel_count && is_empty; k++)
        is_empty = !kernel_is_ladder(&view.kernels[k]);
    is_empty = is_empty && !report_has_motion(&view);
    if (is_empty) {
        status = fail(error, STATUS_UNAVAILABLE,
                      N_("nothing has been measured on this machine yet: run 'uskor lab', or 'uskor bench transpose'"));
    } else {
        write_head(page->stream);
        write_body(page, &report);
        write_end(page->stream);
    }
    view_free(&view);
    return status;
}
