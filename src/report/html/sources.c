#include "report/html/chapters.h"

#include <stdlib.h>

#include "base/translation.h"
#include "report/html/html.h"

static const struct embedded_file *(*maker)(const char *kernel, const char *rung);

void sources_from(const struct embedded_file *(*find)(const char *kernel, const char *rung))
{
    maker = find;
}

static const struct embedded_file *source_of(const char *kernel, const char *rung)
{
    return maker ? maker(kernel, rung) : NULL;
}

void source_link(FILE *stream, const char *kernel, const char *rung)
{
    const struct embedded_file *file = source_of(kernel, rung);
    if (file)
        html(stream, "<a href=\"#source/%s\" title=\"%s\"><code>%s</code></a>", file->path, tr("the source"), rung);
    else
        html(stream, "<code>%s</code>", rung);
}

static bool mark_shown(const struct view *view, bool *shown)
{
    bool any = false;
    for (size_t l = 0; l < view->ladder_count; l++)
        for (size_t r = 0; r < view->ladders[l].rung_count; r++) {
            const struct measurement *of = view->ladders[l].rungs[r]->measurement;
            const struct embedded_file *file = source_of(of->kernel, of->rung);
            if (file)
                shown[file - embedded_files] = any = true;
        }
    return any;
}

void sources_write(struct page *page, const struct view *views, size_t count)
{
    bool *shown = calloc(embedded_file_count + 1, sizeof *shown), any = false;
    for (size_t v = 0; shown && v < count; v++)
        any = mark_shown(&views[v], shown) || any;
    if (any) {
        fputs("<section>\n", page->stream);
        page_heading(page, 2, "sources", tr("The rungs' sources"));
        for (size_t i = 0; i < embedded_file_count; i++)
            if (shown[i]) {
                page_fold(page, embedded_files[i].path);
                html(page->stream, "<pre id=\"source/%s\" class=\"source\">%s</pre>\n", embedded_files[i].path,
                     embedded_files[i].text);
                page_fold_end(page);
            }
        fputs("</section>\n", page->stream);
    }
    free(shown);
}
