/* uskor architectures: the tables of architectures, each figure with its source. */
#include <stdio.h>
#include <string.h>

#include "architectures/architectures.h"
#include "base/text.h"
#include "base/translation.h"
#include "cli/command.h"
#include "cli/options/bench_session.h"
#include "cli/options/options.h"
#include "cli/options/result.h"
#include "report/export/csv.h"
#include "report/terminal/architectures.h"

struct arguments {
    const char *version;
    enum form form;
};

static void take_argument(void *input, const char *argument, const struct options_state *state)
{
    (void)input;
    refuse_use(state, "'%s': this command takes no arguments; --cc 9.0 shows one compute capability", argument);
}

static const struct option options[] = {
    {"cc", 0, "X.Y", N_("One compute capability, each figure with its source"), SETS_TEXT(struct arguments, version)},
    {"json", 0, NULL, N_("Write JSON, each figure with its source"), SETS_FORM(struct arguments, form, FORM_JSON)},
    {"csv", 0, NULL, N_("Write CSV: a row per figure"), SETS_FORM(struct arguments, form, FORM_CSV)},
    {"markdown", 0, NULL, N_("Write a Markdown table"), SETS_FORM(struct arguments, form, FORM_MARKDOWN)},
    {0},
};

static const struct usage usage = {
    .options = options,
    .argument = take_argument,
    .doc = N_("Show what NVIDIA's multiprocessors are made of, by compute capability, and its GPUs: peaks, "
              "memory bandwidth, and operations for each byte. A further table says what a core of the common "
              "CPUs does in a cycle. Every figure has its source and says whether that was read; a figure "
              "without a source is left empty."),
};

/* Names those of the same major version, or the first and the last of all. */
static int refuse(const char *version)
{
    char names[256] = "";
    struct error error;
    size_t length = strcspn(version, ".") + 1;
    for (size_t i = 0; i < capability_count; i++)
        if (strncmp(capabilities[i].version, version, length) == 0)
            text_append(names, sizeof names, "%s%s", names[0] ? ", " : "", capabilities[i].version);
    if (!names[0])
        text_append(names, sizeof names, "%s … %s", capabilities[0].version,
                    capabilities[capability_count - 1].version);
    fail(&error, STATUS_INVALID, "there is no compute capability %s in the table; there are %s", version, names);
    return report_error(STATUS_INVALID, &error);
}

static bool write_csv(FILE *stream, const void *only)
{
    return architectures_csv(stream, only);
}

int cmd_architectures(int argc, char **argv)
{
    struct arguments arguments = {0};
    options_parse(&usage, argc, argv, &arguments);
    const struct capability *only = arguments.version ? capability_by_version(arguments.version) : NULL;
    if (arguments.version && !only)
        return refuse(arguments.version);
    bool written = arguments.form == FORM_JSON       ? architectures_json(stdout, only)
                   : arguments.form == FORM_CSV      ? architectures_csv(stdout, only)
                   : arguments.form == FORM_MARKDOWN ? markdown_of_csv(stdout, write_csv, only)
                   : only                            ? architecture_print(stdout, only)
                                                     : architectures_print(stdout);
    struct error error;
    if (written)
        return EXIT_DONE;
    return report_error(fail(&error, STATUS_SYSTEM, "standard output: cannot write: %s", result_reason(stdout)),
                        &error);
}
