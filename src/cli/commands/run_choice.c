#include "cli/commands/run_choice.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/language.h"
#include "base/size.h"
#include "base/text.h"
#include "base/translation.h"
#include "base/visible.h"
#include "cli/commands/exported.h"
#include "cli/commands/filter_check.h"
#include "cli/options/store_options.h"
#include "files/sqlite_file.h"
#include "report/terminal/cells.h"

/* The filter besides the run, in the words of the command line; false when there is none. */
static bool say_choice(const struct store_filter *filter, char *text, size_t size)
{
    char since[32] = "";
    *text = 0;
    if (filter->since)
        text_moment(filter->since, since, sizeof since);
    const struct {
        const char *option, *value;
    } choices[] = {
        {"--problem", filter->problem ? filter->problem : filter->kernel},
        {"--rung", filter->rung},
        {"--device", filter->device},
        {"--label", filter->label},
        {"--since", filter->since ? since : NULL},
    };
    for (size_t i = 0; i < COUNT_OF(choices); i++)
        if (choices[i].value)
            text_append(text, size, "%s%s %s", *text ? " " : "", choices[i].option, choices[i].value);
    return *text != 0;
}

/* That nothing was found is the choice's fault, and not the run's: names it, or the slip in it. */
static enum status refuse_choice(struct store *store, const struct store_filter *choice, struct error *error)
{
    char text[512];
    enum status status = filter_check_choice(store, choice, error);
    if (status != STATUS_OK)
        return status;
    if (say_choice(choice, text, sizeof text))
        return fail(error, STATUS_INVALID, "nothing of %s is in it", text);
    return fail(error, STATUS_INVALID, "nothing of what is compared is in it");
}

/* Takes what the filter has: the choice in some runs, or in any. */
static enum status take_all(struct store *store, const struct store_filter *filter, const struct store_filter *choice,
                            struct measurement_list *list, struct error *error)
{
    struct store_filter all = *filter;
    size_t before = list->count;
    all.all = true;
    enum status status = store_measurements(store, &all, list, error);
    if (status == STATUS_OK && list->count == before)
        status = refuse_choice(store, choice, error);
    return status;
}

static enum status take_run(struct store *store, const struct store_run *run, const struct store_filter *filter,
                            struct measurement_list *list, char *said, size_t size, struct error *error)
{
    char moment[32];
    struct store_filter of_run = *filter;
    of_run.runs = &run->id;
    of_run.run_count = 1;
    *said = 0;
    text_append(said, size, tr("run %ld, %s%s%s, %s"), run->id, text_moment(run->started, moment, sizeof moment),
                run->label[0] ? ", " : "", run->label, run->code_version);
    enum status status = take_all(store, &of_run, filter, list, error);
    return status == STATUS_OK ? status : fail_in(error, status, "run %ld", run->id);
}

/* "last" is 0, "last~2" is 2; false for anything else. */
static bool parse_last(const char *text, int64_t *back)
{
    *back = 0;
    if (strncmp(text, "last", 4) != 0)
        return false;
    return !text[4] || (text[4] == '~' && text_integer(text + 5, back) && *back >= 0 && *back < 1000000);
}

static enum status take_numbered(struct store *store, const char *text, int64_t number, bool from_last,
                                 const struct store_filter *filter, struct measurement_list *list, char *said,
                                 size_t size, struct error *error)
{
    struct store_run_list runs;
    struct store_filter which = {.runs = from_last ? NULL : &number, .run_count = 1};
    which.most = from_last ? (size_t)number + 1 : 1;
    size_t wanted = which.most;
    enum status status = store_runs(store, &which, &runs, error);
    if (status != STATUS_OK)
        return status;
    if (runs.count < wanted)
        status = fail(error, STATUS_INVALID, "there is no run '%s' in %s; 'uskor history' lists the runs", text,
                      store_path(store));
    else
        status = take_run(store, &runs.items[wanted - 1], filter, list, said, size, error);
    store_run_list_free(&runs);
    return status;
}

static enum status count_runs(struct store *store, const struct store_filter *filter, size_t *count,
                              struct error *error)
{
    struct store_run_list runs;
    enum status status = store_runs(store, filter, &runs, error);
    *count = runs.count;
    store_run_list_free(&runs);
    return status;
}

static enum status take_label(struct store *store, const char *label, const struct store_filter *filter,
                              struct measurement_list *list, char *said, size_t size, struct error *error)
{
    struct store_filter anything = {.label = label}, choice = *filter, labelled = *filter;
    size_t runs, chosen = 0;
    labelled.label = label;
    choice.label = NULL;
    *said = 0;
    enum status status = count_runs(store, &anything, &runs, error);
    if (status == STATUS_OK && !runs)
        status = fail(error, STATUS_INVALID, "'%s' is not a run, label or file; 'uskor history' lists the runs", label);
    if (status == STATUS_OK)
        status = count_runs(store, &labelled, &chosen, error);
    if (status != STATUS_OK)
        return status;
    text_append(said, size, tr_plural("%s: %zu run", "%s: %zu runs", chosen), label, chosen);
    visible_make(said, size);
    status = take_all(store, &labelled, &choice, list, error);
    return status == STATUS_OK ? status : fail_in(error, status, "label '%s'", label);
}

static enum status import_file(const char *path, struct store **store, struct error *error)
{
    struct import_counts counts;
    enum status status = store_open(STORE_IN_MEMORY, store, error);
    return status == STATUS_OK ? exported_import(*store, path, &counts, error) : status;
}

static enum status take_file(const char *path, const struct store_filter *filter, struct measurement_list *list,
                             char *said, size_t size, struct error *error)
{
    struct store *store = NULL;
    visible_copy(path, said, size);
    enum status status = sqlite_file_is(path) ? store_read(path, &store, error) : import_file(path, &store, error);
    if (status == STATUS_OK) {
        status = take_all(store, filter, filter, list, error);
        if (status != STATUS_OK)
            fail_in(error, status, "%s", path);
    }
    store_close(store);
    return status;
}

enum status run_choice_read(const char *text, struct store *store, const struct store_filter *filter,
                            struct measurement_list *list, char *said, size_t size, struct error *error)
{
    int64_t number;
    if (strchr(text, '/') || access(text, F_OK) == 0)
        return take_file(text, filter, list, said, size, error);
    if (!store)
        return fail(error, STATUS_UNAVAILABLE, "there is no store yet to find '%s' in, and no such file", text);
    if (*text && strspn(text, "0123456789") == strlen(text) && text_integer(text, &number))
        return take_numbered(store, text, number, false, filter, list, said, size, error);
    if (parse_last(text, &number))
        return take_numbered(store, text, number, true, filter, list, said, size, error);
    return take_label(store, text, filter, list, said, size, error);
}
