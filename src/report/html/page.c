#include "report/html/page.h"

#include <string.h>

#include "base/translation.h"
#include "report/html/html.h"

static void draw_at(FILE *stream, double width, bool standalone, chart_drawing *draw, const void *data)
{
    struct chart chart = {.stream = stream, .width = width, .standalone = standalone};
    draw(&chart, data);
}

void page_figure(struct page *page, const char *chart, const char *caption, const char *device, chart_drawing *draw,
                 const void *data)
{
    char name[CHART_NAME_MAX + sizeof page->prefix];
    snprintf(name, sizeof name, "%s%s", page->prefix, chart);
    page->charts++;
    if (page->on_chart)
        page->on_chart(page->context, name);
    if (page->only && page->drawing && !page->drawn && strcmp(page->only, name) == 0) {
        draw_at(page->drawing, CHART_WIDE, true, draw, data);
        page->drawn = true;
    }
    html(page->stream, "<figure data-chart=\"%s\"", name);
    if (device)
        html(page->stream, " data-device=\"%s\"", device);
    fputs(">\n", page->stream);
    if (caption)
        html(page->stream, "<figcaption>%s</figcaption>\n", caption);
    if (!page->only) {
        draw_at(page->stream, CHART_WIDE, false, draw, data);
        draw_at(page->stream, CHART_NARROW, false, draw, data);
    }
    page_fold(page, tr("The figures as a table"));
}

void page_figure_end(struct page *page)
{
    page_fold_end(page);
    fputs("</figure>\n", page->stream);
}

void page_fold(struct page *page, const char *summary)
{
    html(page->stream, "<details><summary>%s</summary>\n", summary);
}

void page_fold_end(struct page *page)
{
    fputs("</details>\n", page->stream);
}

void page_heading(struct page *page, int level, const char *id, const char *text)
{
    html(page->stream, "<h%d", level);
    if (id)
        html(page->stream, " id=\"%s%s\"", page->prefix, id);
    html(page->stream, ">%s</h%d>\n", text, level);
}

void page_link(struct page *page, const char *id, const char *text)
{
    html(page->stream, "<a href=\"#%s%s\">%s</a>", page->prefix, id, text);
}

void page_paragraph(struct page *page, const char *class, const char *text)
{
    html(page->stream, "<p class=\"%s\">%s</p>\n", class, text);
}

void page_table(struct page *page, const char *class, const char *const headings[], size_t count)
{
    html(page->stream, "<div class=\"scroll\"><table class=\"%s\"><thead><tr>", class);
    for (size_t i = 0; i < count; i++) {
        bool is_number = headings[i][0] == '#';
        fputs(is_number ? "<th class=\"n\">" : "<th>", page->stream);
        html(page->stream, "%s</th>", headings[i] + is_number);
    }
    fputs("</tr></thead><tbody>\n", page->stream);
}

void page_row(struct page *page, const char *class, const char *device)
{
    fputs("<tr", page->stream);
    if (class && *class)
        html(page->stream, " class=\"%s\"", class);
    if (device)
        html(page->stream, " data-device=\"%s\"", device);
    fputs(">", page->stream);
}

void page_cell(struct page *page, const char *text)
{
    html(page->stream, "<td>%s</td>", text);
}

void page_number(struct page *page, const char *text)
{
    html(page->stream, "<td class=\"n\">%s</td>", text);
}

void page_command_cell(struct page *page, const char *command)
{
    html(page->stream, "<td><button class=\"copy\" data-copy=\"%s\" title=\"%s\" aria-label=\"%s\"></button></td>",
         command, command, tr("copy the command that measures this again"));
}

void page_row_end(struct page *page)
{
    fputs("</tr>\n", page->stream);
}

void page_table_end(struct page *page)
{
    fputs("</tbody></table></div>\n", page->stream);
}
