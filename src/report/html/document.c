#include "report/html/document.h"

#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/language.h"
#include "base/sha256.h"
#include "base/size.h"
#include "base/translation.h"
#include "report/html/chapters.h"
#include "report/html/html.h"
#include "report/html/palette.h"
#include "report/model/figure_text.h"
#include "report/model/machines.h"

static void write_embedded(FILE *stream, const char *path)
{
    const struct embedded_file *file = embedded_find(path);
    (void)fwrite(file->text, 1, file->bytes, stream);
}

/* The content of <style> as one text: its hash is in the page's security policy. NULL when memory is out. */
static char *style_text(size_t *bytes)
{
    char *text = NULL;
    FILE *stream = open_memstream(&text, bytes);
    if (!stream)
        return NULL;
    fputc('\n', stream);
    palette_write_page(stream);
    write_embedded(stream, "report/html/chart.css");
    write_embedded(stream, "report/html/report.css");
    if (fclose(stream) == 0)
        return text;
    free(text);
    return NULL;
}

static char *script_text(size_t *bytes)
{
    char *text = NULL;
    FILE *stream = open_memstream(&text, bytes);
    if (!stream)
        return NULL;
    fputc('\n', stream);
    write_embedded(stream, "report/html/report.js");
    if (fclose(stream) == 0)
        return text;
    free(text);
    return NULL;
}

/* Nothing may be loaded, and nothing runs or styles but these two texts, whatever a name in a store says. */
static void write_policy(FILE *stream, const char *style, size_t style_bytes, const char *script, size_t script_bytes)
{
    char style_hash[SHA256_BASE64_BYTES], script_hash[SHA256_BASE64_BYTES];
    html(stream,
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-%s'; "
         "script-src 'sha256-%s'; img-src data:; base-uri 'none'; form-action 'none'\">\n",
         sha256_base64(style, style_bytes, style_hash), sha256_base64(script, script_bytes, script_hash));
}

static void write_head(FILE *stream, const char *style, size_t style_bytes, const char *script, size_t script_bytes)
{
    html(stream, "<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n",
         language_code(language_now()));
    write_policy(stream, style, style_bytes, script, script_bytes);
    fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<link rel=\"icon\" href=\"data:,\">\n",
          stream);
    fputs(REPORT_MARK "\n", stream);
    html(stream, "<title>%s</title>\n<style>", tr("Uskor: what is fast here"));
    (void)fwrite(style, 1, style_bytes, stream);
    fputs("</style>\n</head>\n<body>\n", stream);
}

/* The devices that the page can be narrowed to; nothing when there is but one. */
static void write_device_buttons(FILE *stream, const struct view *views, size_t view_count)
{
    const char *ids[32];
    size_t count = 0;
    for (const struct view *view = views; view < views + view_count; view++)
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

/* One machine is shown at a time; without scripts all of them are, one after the other. */
static void write_machine_buttons(FILE *stream, const struct report *reports, size_t count)
{
    char title[1024];
    if (count < 2)
        return;
    html(stream, "<span class=\"choice\" role=\"group\" aria-label=\"%s\">", tr("machine"));
    for (size_t m = 0; m < count; m++) {
        machine_title(&reports[m], m + 1, title, sizeof title);
        html(stream, "<button data-machine=\"%zu\" aria-pressed=\"%s\" title=\"%s\">%s</button>", m + 1,
             m ? "false" : "true", title, title);
    }
    fputs("</span>\n", stream);
}

/* The machine's processor and what else was measured, when, and with which version. */
static void write_machine(FILE *stream, const struct report *report, size_t number)
{
    char title[1024];
    const char *shown = machine_title(report, number, title, sizeof title);
    const char *names = strchr(shown, ' ') + 1; /* without the number */
    html(stream, "<p class=\"machine\">%s%s%s · uskor %s</p>\n", number ? shown : names, *names ? " · " : "",
         figure_moment(report->source->made_at).text, report->source->code_version);
}

static void write_header(FILE *stream, const struct report *reports, const struct view *views, size_t count)
{
    html(stream, "<header>\n<h1>%s</h1>\n", tr("What is fast here, and how far from the ceiling"));
    if (count == 1)
        write_machine(stream, reports, 0);
    fputs("<div class=\"tools\">", stream);
    write_machine_buttons(stream, reports, count);
    write_device_buttons(stream, views, count);
    html(stream, "<input id=\"filter\" type=\"search\" placeholder=\"%s\" aria-label=\"%s\">", tr("filter rows"),
         tr("filter rows"));
    html(stream, "<button id=\"theme\" data-light=\"%s\" data-dark=\"%s\">%s</button></div>\n</header>\n", tr("light"),
         tr("dark"), tr("dark"));
}

static void write_link(struct page *page, const char *id, const char *title)
{
    page_link(page, id, title);
    fputc('\n', page->stream);
}

static void write_navigation(struct page *page, const struct report *report)
{
    const struct report_source *source = report->source;
    html(page->stream, "<nav aria-label=\"%s\">\n", tr("Contents"));
    write_link(page, "glance", tr("At a glance"));
    for (size_t k = 0; k < report->view->kernel_count; k++)
        if (kernel_is_ladder(&report->view->kernels[k]))
            write_link(page, report->view->kernels[k].name, say_kernel(report->view->kernels[k].name));
    if (report_has_accuracy(source))
        write_link(page, "accuracy", tr("Speed over accuracy"));
    if (report_has_rooflines(report->view))
        write_link(page, "roofline", tr("Roofline"));
    if (report_has_ranks(report->view))
        write_link(page, "ranks", tr("Over ranks"));
    if (report_has_motion(report->view))
        write_link(page, "motion", tr("Moving data"));
    for (size_t i = 0; i < source->chapter_count; i++)
        write_link(page, source->chapters[i].id, source->chapters[i].title);
    if (source->machine)
        write_link(page, "machine", tr("The machine"));
    write_link(page, "method", tr("How this was measured"));
    fputs("</nav>\n", page->stream);
}

/* All chapters of one machine. */
static void write_chapters(struct page *page, const struct report *report)
{
    static void (*const chapters[])(struct page *, const struct report *) = {
        chapter_answers,  chapter_belief, chapter_glance,    chapter_kernels,
        chapter_accuracy, chapter_ranks,  chapter_rooflines, chapter_motion};
    const struct report_source *source = report->source;
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
}

static void write_body(struct page *page, const struct report *reports, const struct view *views, size_t count)
{
    write_header(page->stream, reports, views, count);
    if (count == 1)
        write_navigation(page, reports);
    fputs("<main>\n", page->stream);
    if (count > 1)
        chapter_machines(page, reports, count);
    for (size_t m = 0; m < count; m++) {
        if (m)
            snprintf(page->prefix, sizeof page->prefix, "m%zu-", m + 1);
        if (count > 1) {
            html(page->stream, "<div data-of=\"%zu\">\n", m + 1);
            write_machine(page->stream, &reports[m], m + 1);
            write_navigation(page, &reports[m]);
        }
        write_chapters(page, &reports[m]);
        if (count > 1)
            fputs("</div>\n", page->stream);
    }
    page->prefix[0] = 0;
    sources_write(page, views, count);
    fputs("</main>\n", page->stream);
}

static void write_end(FILE *stream, const char *script, size_t script_bytes)
{
    html(stream, "<div id=\"tip\" role=\"status\" hidden data-copied=\"%s\" data-hint=\"%s\"></div>\n", tr("copied:"),
         tr("click: copy the command"));
    fputs("<svg width=\"0\" height=\"0\" aria-hidden=\"true\">", stream);
    chart_write_hatch(stream);
    fputs("</svg>\n<script>", stream);
    (void)fwrite(script, 1, script_bytes, stream);
    fputs("</script>\n</body>\n</html>\n", stream);
}

static enum status write_page(struct page *page, const struct report *reports, const struct view *views, size_t count,
                              struct error *error)
{
    size_t style_bytes = 0, script_bytes = 0;
    char *style = style_text(&style_bytes), *script = script_text(&script_bytes);
    enum status status = style && script ? STATUS_OK : fail(error, STATUS_UNAVAILABLE, "no memory for the report");
    if (status == STATUS_OK) {
        write_head(page->stream, style, style_bytes, script, script_bytes);
        write_body(page, reports, views, count);
        write_end(page->stream, script, script_bytes);
    }
    free(style);
    free(script);
    return status;
}

static bool is_empty(const struct report_source *source, const struct view *view)
{
    bool has_any = source->chapter_count > 0;
    for (size_t k = 0; k < view->kernel_count && !has_any; k++)
        has_any = kernel_is_ladder(&view->kernels[k]);
    return !has_any && !report_has_motion(view) && !report_has_ranks(view) && !report_has_accuracy(source);
}

enum status report_document(struct page *page, const struct report_source *sources, size_t count, struct error *error)
{
    struct view views[MACHINES_MOST];
    struct report reports[MACHINES_MOST];
    size_t shown = 0;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && shown < MACHINES_MOST && status == STATUS_OK; i++) {
        status = view_make(sources[i].measurements, &views[shown], error);
        if (status != STATUS_OK)
            break;
        reports[shown] = (struct report){.source = &sources[i], .view = &views[shown]};
        if (is_empty(&sources[i], &views[shown]))
            view_free(&views[shown]);
        else
            shown++;
    }
    if (status == STATUS_OK && !shown)
        status = fail(error, STATUS_UNAVAILABLE,
                      N_("nothing has been measured on this machine yet: run 'uskor lab', or 'uskor bench transpose'"));
    if (status == STATUS_OK)
        status = write_page(page, reports, views, shown, error);
    for (size_t i = 0; i < shown; i++)
        view_free(&views[i]);
    return status;
}
