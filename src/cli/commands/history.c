/* uskor history: runs, and the rungs' medians over time. */
#include <stdlib.h>

#include "base/translation.h"
#include "cli/command.h"
#include "cli/commands/filter_check.h"
#include "cli/commands/roof_charts.h"
#include "cli/options/options.h"
#include "cli/options/store_options.h"
#include "report/export/csv.h"
#include "report/terminal/history.h"

struct arguments {
    struct store_options stored;
    const char *target;
    const char *plot; /* NULL: nothing is drawn */
};

static const struct option options[] = {
    {"plot", 0, N_("FILE.svg"),
     N_("Draw the rungs' rates over versions of the program into an SVG file: of one kernel or problem"),
     SETS_TEXT(struct arguments, plot)},
    {0},
};

static const char doc[] =
    N_("Show what has been measured: the runs, or, with a kernel or a problem, its rungs' median times "
       "over the runs.\n\nFor example:\n\n"
       "  uskor history\n"
       "  uskor history transpose --since 7d\n"
       "  uskor history matmul:m=1024,n=1024,k=1024 --rung packed --csv");

static const struct usage usage = {
    .options = options,
    TAKES_ONE(struct arguments, target, N_("one kernel or problem at a time")),
    .args_doc = N_("[KERNEL|PROBLEM]"),
    .doc = doc,
    .shared = &stored_usage,
};

static bool runs_csv(FILE *stream, const void *runs)
{
    return report_runs_csv(stream, runs);
}

static bool write_runs(FILE *stream, enum form form, const struct store_run_list *runs)
{
    if (form == FORM_JSON)
        return report_runs_json(stream, runs);
    if (form == FORM_CSV)
        return report_runs_csv(stream, runs);
    if (form == FORM_MARKDOWN)
        return markdown_of_csv(stream, runs_csv, runs);
    report_runs(stream, runs, style_for(stream));
    return true;
}

struct shown {
    const struct measurement_list *list;
    const struct store_run_list *runs;
};

static bool history_csv(FILE *stream, const void *context)
{
    const struct shown *shown = context;
    return report_history_csv(stream, shown->list, shown->runs);
}

static bool write_history(FILE *stream, enum form form, const struct measurement_list *list,
                          const struct store_run_list *runs)
{
    if (form == FORM_JSON)
        return report_history_json(stream, list, runs);
    if (form == FORM_CSV)
        return report_history_csv(stream, list, runs);
    if (form == FORM_MARKDOWN)
        return markdown_of_csv(stream, history_csv, &(const struct shown){list, runs});
    report_history(stream, list, runs, style_for(stream));
    return true;
}

/* Is less chosen than the target? Then it may be there, and only not so. */
static bool is_narrowed(const struct store_filter *filter)
{
    return filter->rung || filter->device || filter->label || filter->since;
}

static enum status show(const struct arguments *arguments, struct store *store, FILE *stream, struct error *error)
{
    struct store_filter filter = arguments->stored.filter;
    struct store_run_list runs;
    struct measurement_list list = {0};
    filter.all = true;
    enum status status = store_runs(store, &filter, &runs, error);
    if (status == STATUS_OK && !runs.count)
        status = fail(error, STATUS_UNAVAILABLE, "%s: nothing of %s is in it", store_path(store),
                      arguments->target && !is_narrowed(&filter) ? arguments->target : N_("what was chosen"));
    bool only_runs = !arguments->target && !filter.rung;
    if (status == STATUS_OK && !only_runs)
        status = store_measurements(store, &filter, &list, error);
    if (status == STATUS_OK && !(only_runs ? write_runs(stream, arguments->stored.form, &runs)
                                           : write_history(stream, arguments->stored.form, &list, &runs)))
        status = fail(error, STATUS_SYSTEM, "the history cannot be written");
    if (status == STATUS_OK && arguments->plot)
        status = plot_versions(&list, arguments->plot, arguments->stored.force, error);
    measurement_list_free(&list);
    store_run_list_free(&runs);
    return status;
}

int cmd_history(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct result output = {0};
    struct store *store = NULL;
    struct error error;
    options_parse(&usage, argc, argv, &arguments);
    if (arguments.target)
        store_options_choose(&arguments.stored, arguments.target);
    enum status status = STATUS_OK;
    if (arguments.plot && !arguments.target)
        status = fail(&error, STATUS_INVALID, "--plot draws one kernel or problem: name it");
    if (status == STATUS_OK)
        status = store_options_open(&arguments.stored, &store, &error);
    if (status == STATUS_OK)
        status = filter_check_choice(store, &arguments.stored.filter, &error);
    if (status == STATUS_OK)
        status = store_options_result(&arguments.stored, &output, &error);
    if (status == STATUS_OK)
        status = show(&arguments, store, output.stream, &error);
    status = result_close(&output, status, &error);
    store_close(store);
    return status == STATUS_OK ? EXIT_DONE : report_error(status, &error);
}
