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
#include "report/terminal/architectures.h"

struct arguments {
    const char *version;
    enum form form;
};

enum {
    KEY_VERSION = 256,
    KEY_JSON,
    KEY_CSV,
};

static const struct argp_option options[] = {
    {"cc", KEY_VERSION, "X.Y", 0, N_("One compute capability, each figure with its source"), 0},
    {"json", KEY_JSON, NULL, 0, N_("Write JSON, each figure with its source"), 0},
    {"csv", KEY_CSV, NULL, 0, N_("Write CSV: a row per figure"), 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case KEY_VERSION:
        arguments->version = argument;
        return 0;
    case KEY_JSON:
    case KEY_CSV:
        option_form(state, key == KEY_JSON ? FORM_JSON : FORM_CSV, &arguments->form);
        return 0;
    case ARGP_KEY_ARG:
        refuse_use(state, "'%s': this command takes no arguments; --cc 9.0 shows one compute capability", argument);
        return EINVAL;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
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

int cmd_architectures(int argc, char **argv)
{
    struct arguments arguments = {0};
    options_parse(&argp, argc, argv, &arguments);
    const struct capability *only = arguments.version ? capability_by_version(arguments.version) : NULL;
    if (arguments.version && !only)
        return refuse(arguments.version);
    bool written = arguments.form == FORM_JSON  ? architectures_json(stdout, only)
                   : arguments.form == FORM_CSV ? architectures_csv(stdout, only)
                   : only                       ? architecture_print(stdout, only)
                                                : architectures_print(stdout);
    struct error error;
    if (written)
        return EXIT_DONE;
    return report_error(fail(&error, STATUS_SYSTEM, "standard output: cannot write: %s", result_reason(stdout)),
                        &error);
}
