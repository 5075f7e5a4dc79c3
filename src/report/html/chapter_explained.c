/* A chapter that explains each kernel's device rungs by the model: what was counted, and the time that follows. */

#include "base/language.h"
#include "base/message.h"
#include "base/size.h"
#include "base/translation.h"
#include "report/html/chapters.h"
#include "report/html/charts.h"
#include "report/html/html.h"
#include "report/model/figure_text.h"

static void write_access_row(struct page *page, const struct explained_access *access)
{
    char text[96];
    page_row(page, "", NULL);
    snprintf(text, sizeof text, "%d", access->line);
    page_number(page, text);
    page_cell(page, access->array);
    page_cell(page, tr(access->operation));
    page_cell(page, tr(access->is_shared ? N_("local") : N_("global")));
    page_number(page, figure_number(access->per_request).text);
    snprintf(text, sizeof text, "%s", access->is_shared ? "—" : figure_percent(access->used_percent / 100).text);
    page_number(page, text);
    page_number(page, access->is_shared ? figure_number(access->conflicts).text : "—");
    page_row_end(page);
}

static void write_access(struct page *page, const struct explained_access *access)
{
    const char *const headings[] = {
        tr("#line"), tr("array"),     tr("access"), tr("memory"), tr("#transactions a request"),
        tr("#used"), tr("#conflicts")};
    page_table(page, "", headings, COUNT_OF(headings));
    write_access_row(page, access);
    page_table_end(page);
}

static void write_resources(struct page *page, const struct explained_rung *rung)
{
    const char *const headings[] = {tr("resource"), tr("#time")};
    page_table(page, "", headings, COUNT_OF(headings));
    for (size_t i = 0; i < rung->resource_count; i++) {
        page_row(page, "", NULL);
        page_cell(page, tr(rung->resources[i].title));
        page_number(page, figure_duration(rung->resources[i].ns).text);
        page_row_end(page);
    }
    page_table_end(page);
}

static void write_times(struct page *page, const struct explained_kernel *kernel)
{
    const char *const headings[] = {tr("rung"), tr("#measured"), tr("#predicted")};
    page_table(page, "", headings, COUNT_OF(headings));
    for (size_t i = 0; i < kernel->count; i++) {
        const struct explained_rung *rung = &kernel->rungs[i];
        page_row(page, "", NULL);
        page_cell(page, rung->name);
        page_number(page, rung->measured > 0 ? figure_duration(rung->measured).text : "—");
        page_number(page, rung->predicted > 0 ? figure_duration(rung->predicted).text : "—");
        page_row_end(page);
    }
    page_table_end(page);
}

/* The picture of each access, and its counts behind it. */
static void write_pictures(struct page *page, const struct explained_kernel *kernel, const struct explained_rung *rung)
{
    for (size_t i = 0; i < rung->access_count; i++) {
        const struct explained_access *access = &rung->accesses[i];
        char name[CHART_NAME_MAX], caption[256];
        snprintf(name, sizeof name, "explained/%s/%s/memory-%zu", kernel->key, rung->name, i + 1);
        snprintf(caption, sizeof caption, tr("%s, line %d: %s of %s, %s transactions a request"), rung->name,
                 access->line, tr(access->operation), access->array, figure_number(access->per_request).text);
        page_figure(page, name, caption, NULL, draw_access, access);
        write_access(page, access);
        page_figure_end(page);
    }
}

static void write_rung(struct page *page, const struct explained_kernel *kernel, const struct explained_rung *rung)
{
    char id[128], name[CHART_NAME_MAX];
    snprintf(id, sizeof id, "explained-%s-%s", kernel->key, rung->name);
    page_heading(page, 4, id, rung->name);
    if (rung->step[0])
        page_paragraph(page, "", rung->step);
    if (rung->reason[0])
        page_paragraph(page, "soft", say_message(rung->reason));
    if (rung->resource_count > 0) {
        snprintf(name, sizeof name, "explained/%s/%s/resources", kernel->key, rung->name);
        page_figure(page, name, tr("Time that each resource needs for what was counted"), NULL, draw_resources, rung);
        write_resources(page, rung);
        page_figure_end(page);
    }
    if (rung->access_count == 0)
        return;
    page_fold(page, tr("accesses to memory: which lanes touch which sectors and banks"));
    write_pictures(page, kernel, rung);
    page_fold_end(page);
}

static void write_kernel(struct page *page, const struct explained_kernel *kernel)
{
    char id[64], name[CHART_NAME_MAX], heading[128];
    snprintf(id, sizeof id, "explained-%s", kernel->key);
    snprintf(heading, sizeof heading, kernel->is_cpu ? tr("%s on the CPU") : "%s", say_kernel(kernel->kernel));
    page_heading(page, 3, id, heading);
    html(page->stream, "<p class=\"problem\"><code>%s</code> · %s</p>\n", kernel->problem, kernel->target);
    snprintf(name, sizeof name, "explained/%s/times", kernel->key);
    page_figure(page, name, tr("Predicted beside measured"), NULL, draw_predictions, kernel);
    write_times(page, kernel);
    page_figure_end(page);
    for (size_t i = 0; i < kernel->count; i++)
        write_rung(page, kernel, &kernel->rungs[i]);
}

void chapter_explained(struct page *page, const void *context)
{
    const struct explained_list *list = context;
    page_paragraph(page, "",
                   tr("The model of 'uskor explain': each rung's own source is traced and compiled, and what "
                      "was counted is divided by ceilings. Nothing is fitted to a rung."));
    for (size_t i = 0; i < list->count; i++)
        write_kernel(page, &list->kernels[i]);
}
