/* uskor compare: two runs, or machines, with a verdict that can be believed; and a gate for continuous integration. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/translation.h"
#include "cli/command.h"
#include "cli/commands/run_choice.h"
#include "cli/options/options.h"
#include "cli/options/store_options.h"
#include "report/terminal/comparison.h"

struct arguments {
    struct store_options stored;
    const char *sides[2];
    size_t side_count;
    struct comparison_options options;
    bool gate;
    double slower; /* a fraction */
};

enum {
    KEY_FAIL_ON = 512,
    KEY_MIN_CHANGE,
    KEY_PROBLEM,
    KEY_END_TO_END,
    KEY_ANY_CORES,
};

static const struct argp_option options[] = {
    {"fail-on", KEY_FAIL_ON, N_("slower=PERCENT"), 0,
     N_("Exit with 1 if a rung is slower by more than PERCENT with its whole interval, or is wrong where it was right"),
     4},
    {"min-change", KEY_MIN_CHANGE, N_("PERCENT"), 0, N_("Changes smaller than this do not count (default: 1)"), 4},
    {"least", KEY_MIN_CHANGE, "PERCENT", OPTION_HIDDEN, NULL, 4},
    {"any-cores", KEY_ANY_CORES, NULL, 0,
     N_("Compare also runs of two CPU threads whose cores had other distances, or moved (default: cannot tell)"), 4},
    {"problem", KEY_PROBLEM, N_("KERNEL|PROBLEM"), 0, N_("Compare only this"), 1},
    {"end-to-end", KEY_END_TO_END, NULL, 0, N_("Compare end-to-end times, transfers included, instead of kernel times"),
     4},
    {"whole", KEY_END_TO_END, NULL, OPTION_HIDDEN, NULL, 4},
    {0},
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

static void parse_percent(struct argp_state *state, const char *name, const char *text, double *fraction)
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

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->stored;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->side_count == 2)
            refuse_use(state, "two runs at a time");
        arguments->sides[arguments->side_count++] = argument;
        return 0;
    case KEY_FAIL_ON:
        if (strncmp(argument, "slower=", 7) != 0)
            refuse_use(state, "--fail-on takes slower=PERCENT; this is '%s'", argument);
        arguments->gate = true;
        parse_percent(state, "fail-on slower", argument + 7, &arguments->slower);
        return 0;
    case KEY_MIN_CHANGE:
        parse_percent(state, "min-change", argument, &arguments->options.least);
        return 0;
    case KEY_PROBLEM:
        store_options_choose(&arguments->stored, argument);
        return 0;
    case KEY_END_TO_END:
        arguments->options.phase = PHASE_END_TO_END;
        return 0;
    case KEY_ANY_CORES:
        arguments->options.any_cores = true;
        return 0;
    case ARGP_KEY_END:
        if (arguments->side_count != 2)
            refuse_use(state, "which two runs? For example: uskor compare last~1 last");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = options, .parser = parse, .args_doc = "A B", .doc = doc, .children = stored_children};

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

static enum status write_comparison(const struct arguments *arguments, FILE *stream,
                                    const struct run_comparison *comparison, const char *said_a, const char *said_b,
                                    struct error *error)
{
    bool written = true;
    if (arguments->stored.form == FORM_JSON) {
        written = report_comparison_json(stream, comparison, &arguments->options);
    } else if (arguments->stored.form == FORM_CSV) {
        written = report_comparison_csv(stream, comparison);
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
    options_parse(&argp, argc, argv, &arguments);
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
