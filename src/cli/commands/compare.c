/* uskor compare: two runs, or machines, with a verdict that can be believed; and a gate for continuous integration. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/size.h"
#include "base/text.h"
#include "base/translation.h"
#include "base/visible.h"
#include "cli/command.h"
#include "cli/commands/exported.h"
#include "cli/commands/filter_check.h"
#include "cli/options/options.h"
#include "cli/options/store_options.h"
#include "files/sqlite_file.h"
#include "report/export/csv.h"
#include "report/terminal/cells.h"
#include "report/terminal/comparison.h"
#include "store/store.h"

/* A run, or several, as a person names them. */

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

/* Adds to `list` all measurements of what `text` names: a run's number ("12"), "last", "last~1" (the one before), a
 * label (all runs that have it; with "*" at its end, all whose label begins so), or a file that 'uskor export' made or
 * another store. `filter` narrows it (kernel, problem, rung, device). `store` may be NULL where there is none; files
 * can still be named. `said` receives what was chosen, for a title. STATUS_INVALID when nothing is called so. */
static enum status run_choice_read(const char *text, struct store *store, const struct store_filter *filter,
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

struct arguments {
    struct store_options stored;
    const char *sides[2];
    size_t side_count;
    struct comparison_options options;
    bool gate;
    double slower; /* a fraction */
};

static const char doc[] =
    N_("Compare two runs: per problem, device and rung faster, slower, or cannot tell.\n\nA and B are "
       "run numbers (as in 'uskor history'), 'last', 'last~1', labels, files that 'uskor export' made, "
       "or other stores. A label stands for all runs that have it. With eight or more on each side, "
       "the verdict includes the differences from run to run.\n\n "
       " uskor compare last~1 last\n "
       " uskor compare before after --fail-on slower=5%\n "
       " uskor compare mine.jsonl theirs.jsonl --problem sort\n\ntime: B's over A's, by Hodges and "
       "Lehmann, with its interval. Medians of runs (of rounds, where a side has few runs) are "
       "compared by the exact rank test of Wilcoxon, Mann and Whitney, two-sided. Holm's method keeps "
       "the level for all pairs together. A change below --min-change, or within that of the machine's "
       "own probes, is not reported.\n\nExit codes: 0, or 1 when --fail-on found something, 3 when it "
       "had nothing to compare.");

static void parse_percent(const struct options_state *state, const char *name, const char *text, double *fraction)
{
    char number[32];
    size_t length = strlen(text);
    double percent;
    length -= length > 0 && text[length - 1] == '%';
    if (length < sizeof number) {
        memcpy(number, text, length);
        number[length] = 0;
    }
    if (length >= sizeof number || !text_real(number, &percent) || percent < 0 || percent > 10000)
        refuse_use(state, "--%s takes a percentage from 0 to 10000; this is '%s'", name, text);
    else
        *fraction = percent / 100;
}

static void take_argument(void *input, const char *argument, const struct options_state *state)
{
    struct arguments *arguments = input;
    if (arguments->side_count == 2)
        refuse_use(state, "two runs at a time");
    arguments->sides[arguments->side_count++] = argument;
}

static void read_fail_on(void *input, const char *argument, const struct options_state *state)
{
    struct arguments *arguments = input;
    if (strncmp(argument, "slower=", 7) != 0)
        refuse_use(state, "--fail-on takes slower=PERCENT; this is '%s'", argument);
    arguments->gate = true;
    parse_percent(state, "fail-on slower", argument + 7, &arguments->slower);
}

static void read_min_change(void *input, const char *argument, const struct options_state *state)
{
    struct arguments *arguments = input;
    parse_percent(state, "min-change", argument, &arguments->options.least);
}

static void read_problem(void *input, const char *argument, const struct options_state *state)
{
    struct arguments *arguments = input;
    (void)state;
    store_options_choose(&arguments->stored, argument);
}

static void check_usage(void *input, const struct options_state *state)
{
    struct arguments *arguments = input;
    if (arguments->side_count != 2)
        refuse_use(state, "which two runs? For example: uskor compare last~1 last");
}

static const struct option options[] = {
    {"fail-on", 0, N_("slower=PERCENT"),
     N_("Exit with 1 if a rung is slower by more than PERCENT with its whole interval, or is wrong where it was right"),
     READ_BY(read_fail_on)},
    {"min-change", 0, N_("PERCENT"), N_("Changes smaller than this do not count (default: 1)"),
     READ_BY(read_min_change)},
    {"any-cores", 0, NULL,
     N_("Compare also runs of two CPU threads whose cores had other distances, or moved (default: cannot tell)"),
     SETS_FLAG(struct arguments, options.any_cores)},
    {"problem", 0, N_("KERNEL|PROBLEM"), N_("Compare only this"), READ_BY(read_problem)},
    {"end-to-end", 0, NULL, N_("Compare end-to-end times, transfers included, instead of kernel times"),
     SETS_VALUE(struct arguments, options.phase, PHASE_END_TO_END)},
    {0},
};

static const struct usage usage = {
    .options = options,
    .argument = take_argument,
    .check = check_usage,
    .args_doc = "A B",
    .doc = doc,
    .shared = &stored_usage,
};

/* Whether anything of the pair was held against each other: its times, or that it was right. */
static bool was_compared(const struct compared *pair)
{
    return pair->outcome != OUTCOME_WITHOUT;
}

static bool is_found(const struct arguments *arguments, const struct compared *pair)
{
    return pair->outcome == OUTCOME_BROKEN || (pair->outcome == OUTCOME_SLOWER && pair->low > 1 + arguments->slower);
}

static void tell_found(const struct arguments *arguments, const struct compared *pair)
{
    struct error error;
    if (pair->outcome == OUTCOME_SLOWER)
        fail(&error, STATUS_FAILED, "%s, %s on %s: slower by %.1f %%, the whole interval by more than %g %%",
             pair->b->problem, pair->b->rung, pair->b->device, 100 * (pair->ratio - 1), 100 * arguments->slower);
    else
        fail(&error, STATUS_FAILED, "%s, %s on %s: right before, now: %s", pair->b->problem, pair->b->rung,
             pair->b->device, pair->b->reason);
    report_error(STATUS_FAILED, &error);
}

/* Says what the gate found, one line each on the terminal. A gate that had nothing to hold against each other must not
 * be green: a mistyped choice would pass for ever. */
static enum exit_code hold_gate(const struct arguments *arguments, const struct run_comparison *comparison)
{
    struct error error;
    enum exit_code code = EXIT_NOTHING;
    for (size_t i = 0; i < comparison->count; i++) {
        if (is_found(arguments, &comparison->items[i])) {
            tell_found(arguments, &comparison->items[i]);
            code = EXIT_WRONG;
        } else if (code == EXIT_NOTHING && was_compared(&comparison->items[i])) {
            code = EXIT_DONE;
        }
    }
    if (code == EXIT_NOTHING) {
        fail(&error, STATUS_UNAVAILABLE,
             "--fail-on: nothing was compared: A and B have no times of the same rung, problem and device");
        report_error(STATUS_UNAVAILABLE, &error);
    }
    return code;
}

static bool comparison_csv(FILE *stream, const void *comparison)
{
    return report_comparison_csv(stream, comparison);
}

static enum status write_comparison(const struct arguments *arguments, FILE *stream,
                                    const struct run_comparison *comparison, const char *said_a, const char *said_b,
                                    struct error *error)
{
    bool written = true;
    if (arguments->stored.form == FORM_JSON) {
        written = report_comparison_json(stream, comparison, &arguments->options);
    } else if (arguments->stored.form == FORM_CSV) {
        written = report_comparison_csv(stream, comparison);
    } else if (arguments->stored.form == FORM_MARKDOWN) {
        written = markdown_of_csv(stream, comparison_csv, comparison);
    } else {
        fprintf(stream, "A: %s\nB: %s\n", said_a, said_b);
        report_comparison(stream, comparison, &arguments->options, style_for(stream));
    }
    return written ? STATUS_OK : fail(error, STATUS_SYSTEM, "the comparison cannot be written");
}

static enum status compare(const struct arguments *arguments, struct store *store, FILE *stream, enum exit_code *code,
                           struct error *error)
{
    struct measurement_list lists[2] = {0};
    char said[2][512];
    struct run_comparison comparison = {0};
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < 2; i++)
        status = run_choice_read(arguments->sides[i], store, &arguments->stored.filter, &lists[i], said[i],
                                 sizeof said[i], error);
    if (status == STATUS_OK)
        status = comparison_make(&lists[0], &lists[1], &arguments->options, &comparison, error);
    if (status == STATUS_OK)
        status = write_comparison(arguments, stream, &comparison, said[0], said[1], error);
    if (status == STATUS_OK && arguments->gate)
        *code = hold_gate(arguments, &comparison);
    comparison_free(&comparison);
    measurement_list_free(&lists[0]);
    measurement_list_free(&lists[1]);
    return status;
}

int cmd_compare(int argc, char **argv)
{
    struct arguments arguments = {.options = comparison_defaults()};
    struct result output = {0};
    struct store *store = NULL;
    struct error error;
    enum exit_code code = EXIT_DONE;
    options_parse(&usage, argc, argv, &arguments);
    enum status status = store_options_open(&arguments.stored, &store, &error);
    if (status == STATUS_UNAVAILABLE && !arguments.stored.store_name)
        status = STATUS_OK; /* two files can be compared without a store */
    if (status == STATUS_OK)
        status = store_options_result(&arguments.stored, &output, &error);
    if (status == STATUS_OK)
        status = compare(&arguments, store, output.stream, &code, &error);
    status = result_close(&output, status, &error);
    store_close(store);
    return status != STATUS_OK ? report_error(status, &error) : (int)code;
}
