#include "cli/commands/plot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/result.h"
#include "report/html/document.h"
#include "version.h"

/* The charts of sizes go before those of ladders; among equal ones the first is taken. */
static void keep_name(void *context, const char *name)
{
    char *kept = context;
    if (!*kept ? strstr(name, "/ladder/") || strstr(name, "/size/")
               : strstr(kept, "/ladder/") && strstr(name, "/size/"))
        snprintf(kept, CHART_NAME_MAX, "%s", name);
}

struct plot {
    const struct measurement_list *list;
    char name[CHART_NAME_MAX];
};

static enum status draw(FILE *stream, void *context, struct error *error)
{
    struct plot *plot = context;
    const struct report_source source = {.measurements = plot->list, .code_version = USKOR_CODE_VERSION};
    char *text = NULL;
    size_t bytes;
    enum status status = STATUS_OK;
    for (int draws = 0; status == STATUS_OK && draws < 2; draws++) {
        struct page page = {.stream = open_memstream(&text, &bytes),
                            .only = draws ? plot->name : "",
                            .drawing = draws ? stream : NULL,
                            .on_chart = draws ? NULL : keep_name,
                            .context = plot->name};
        if (!page.stream)
            return fail(error, STATUS_UNAVAILABLE, "no memory for the chart");
        status = report_document(&page, &source, error);
        fclose(page.stream);
        free(text);
        text = NULL;
        if (status == STATUS_OK && !*plot->name)
            status = fail(error, STATUS_UNAVAILABLE, "--plot: no ladder was measured");
    }
    return status;
}

enum status plot_measured(const struct measurement_list *list, const char *path, bool force, struct error *error)
{
    struct plot plot = {.list = list};
    return result_write(path, force, draw, &plot, error);
}
