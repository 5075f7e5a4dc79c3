#include "cli/commands/roof_charts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/translation.h"
#include "cli/options/result.h"
#include "report/html/document.h"
#include "version.h"

struct plot {
    const struct measurement_list *list;
    const char *const *kinds; /* of charts, the preferred one first, NULL at the end */
    size_t kind;              /* that of `name` */
    char name[CHART_NAME_MAX];
};

/* Among charts of the preferred kind the first is taken. */
static void keep_name(void *context, const char *name)
{
    struct plot *plot = context;
    for (size_t kind = 0; plot->kinds[kind] && !(*plot->name && kind >= plot->kind); kind++)
        if (strstr(name, plot->kinds[kind])) {
            plot->kind = kind;
            snprintf(plot->name, sizeof plot->name, "%s", name);
        }
}

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
                            .context = plot};
        if (!page.stream)
            return fail(error, STATUS_UNAVAILABLE, "no memory for the chart");
        status = report_document(&page, &source, 1, error);
        fclose(page.stream);
        free(text);
        text = NULL;
        if (status == STATUS_OK && !*plot->name)
            status = fail(error, STATUS_UNAVAILABLE, "--plot: there is nothing to draw: %s",
                          plot->kinds[1] ? N_("no ladder was measured")
                                         : N_("fewer than two versions of the program measured one problem"));
    }
    return status;
}

enum status plot_measured(const struct measurement_list *list, const char *path, bool force, struct error *error)
{
    static const char *const kinds[] = {"/size/", "/ladder/", NULL};
    struct plot plot = {.list = list, .kinds = kinds};
    return result_write(path, force, draw, &plot, error);
}

enum status plot_versions(const struct measurement_list *list, const char *path, bool force, struct error *error)
{
    static const char *const kinds[] = {"/versions/", NULL};
    struct plot plot = {.list = list, .kinds = kinds};
    return result_write(path, force, draw, &plot, error);
}
