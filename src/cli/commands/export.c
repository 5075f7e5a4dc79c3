/* uskor export and uskor import: measurements from store to store, and from machine to machine, as JSON lines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output_reader.h"
#include "base/terminal.h"
#include "base/translation.h"
#include "base/visible.h"
#include "cli/command.h"
#include "cli/commands/exported.h"
#include "cli/commands/filter_check.h"
#include "cli/options/options.h"
#include "cli/options/store_options.h"
#include "files/output.h"
#include "lab/bench/interrupt.h"
#include "store/transfer.h"

static void take_choice(void *input, const char *argument, const struct options_state *state)
{
    struct store_options *stored = input;
    if (stored->filter.kernel || stored->filter.problem)
        refuse_use(state, "one kernel or problem at a time");
    store_options_choose(stored, argument);
}

static void check_form(void *input, const struct options_state *state)
{
    const enum form form = ((struct store_options *)input)->form;
    if (form == FORM_CSV || form == FORM_MARKDOWN)
        refuse_use(state, "an export is JSON lines; 'uskor history' writes CSV and Markdown");
}

int cmd_export(int argc, char **argv)
{
    static const struct usage usage = {
        .argument = take_choice,
        .check = check_form,
        .args_doc = N_("[KERNEL|PROBLEM]"),
        .doc = N_("Write measurements, with all samples, as JSON lines: one measurement a line, with its run and its "
                  "machine's facts (never its name).\n\nFor example:\n\n"
                  "  uskor export -o mine.jsonl\n"
                  "  uskor export sort --label before -o before.jsonl\n\n"
                  "'uskor import' takes them into another store; 'uskor compare' takes such files as they are."),
        .shared = &stored_usage,
    };
    struct store_options stored = {.filter = {.all = true}};
    struct result output = {0};
    struct store *store = NULL;
    struct error error;
    size_t count = 0;
    options_parse(&usage, argc, argv, &stored);
    enum status status = store_options_open(&stored, &store, &error);
    if (status == STATUS_OK)
        status = filter_check_choice(store, &stored.filter, &error);
    if (status == STATUS_OK)
        status = store_options_result(&stored, &output, &error);
    if (status == STATUS_OK)
        status = store_export(store, &stored.filter, output.stream, output.name, &count, &error);
    if (status == STATUS_OK && !count)
        status = fail(&error, STATUS_UNAVAILABLE, "%s: nothing of what was chosen is in it", store_path(store));
    status = result_close(&output, status, &error);
    if (status == STATUS_OK && is_terminal(STDERR_FILENO))
        fprintf(stderr, tr_plural("%zu line exported\n", "%zu lines exported\n", count), count);
    store_close(store);
    return status == STATUS_OK ? EXIT_DONE : report_error(status, &error);
}

#define FILES_MOST 64

struct import_arguments {
    const char *store_name;
    const char *files[FILES_MOST];
    size_t file_count;
};

static void take_file(void *input, const char *argument, const struct options_state *state)
{
    struct import_arguments *arguments = input;
    if (arguments->file_count == FILES_MOST)
        refuse_use(state, "more than %d files", FILES_MOST);
    arguments->files[arguments->file_count++] = argument;
}

static void check_files(void *input, const struct options_state *state)
{
    if (!((struct import_arguments *)input)->file_count)
        refuse_use(state, "which files? For example: uskor import theirs.jsonl");
}

static enum status import_file(struct store *store, const char *path, struct error *error)
{
    struct import_counts counts;
    char shown[1024];
    bool is_standard_input = strcmp(path, "-") == 0;
    enum status status = is_standard_input ? store_import(store, stdin, "standard input", &counts, error)
                                           : exported_import(store, path, &counts, error);
    visible_copy(path, shown, sizeof shown);
    if (status == STATUS_OK)
        printf(tr("%s: %zu measurements added, %zu were there already\n"), shown, counts.added, counts.known);
    if (status == STATUS_OK && counts.ceilings_added + counts.ceilings_known)
        printf(tr("%s: %zu ceilings added, %zu were there already\n"), shown, counts.ceilings_added,
               counts.ceilings_known);
    return status;
}

static bool reads_standard_input(const struct import_arguments *arguments)
{
    for (size_t i = 0; i < arguments->file_count; i++)
        if (strcmp(arguments->files[i], "-") == 0)
            return true;
    return false;
}

int cmd_import(int argc, char **argv)
{
    static const struct option options[] = {{"store", 's', N_("FILE"),
                                             N_("The store (default: uskor/store.sqlite in the user's data folder)"),
                                             SETS_TEXT(struct import_arguments, store_name)},
                                            {0}};
    static const struct usage usage = {
        .options = options,
        .argument = take_file,
        .check = check_files,
        .args_doc = N_("FILE.jsonl…"),
        .doc = N_(
            "Add measurements from files of 'uskor export' to the store.\n\n'-' is standard input. Measurements that "
            "are there already are not added twice; a file with a wrong line adds nothing."),
    };
    struct import_arguments arguments = {0};
    struct store *store = NULL;
    struct error error;
    options_parse(&usage, argc, argv, &arguments);
    output_reader_outlive();
    if (!reads_standard_input(&arguments)) /* there it would wait for the end of a line */
        interrupt_install(output_end_by_signal);
    enum status status = store_open(arguments.store_name, &store, &error);
    if (status == STATUS_OK)
        store_import_until(store, interrupt_requested);
    for (size_t i = 0; status == STATUS_OK && i < arguments.file_count; i++)
        status = import_file(store, arguments.files[i], &error);
    store_close(store);
    return status == STATUS_OK ? EXIT_DONE : report_error(status, &error);
}
