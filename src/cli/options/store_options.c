#include "cli/options/store_options.h"

#include "base/output_reader.h"
#include "base/translation.h"
#include "cli/options/options.h"
#include "store/former_names.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"

enum {
    KEY_STORE = 768,
    KEY_LABEL,
    KEY_SINCE,
    KEY_JSON,
    KEY_CSV,
    KEY_FORCE,
};

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, N_("Which measurements:"), 1},
    {"rung", 'r', N_("RUNG"), 0, N_("Of this rung only"), 1},
    {"device", 'd', N_("DEVICE"), 0, N_("Of this device only: cpu, opencl:0, cuda:0 …"), 1},
    {"label", KEY_LABEL, N_("TEXT"), 0, N_("Of runs with this label only; a '*' at its end stands for anything"), 1},
    {"since", KEY_SINCE, N_("DATE"), 0,
     N_("Made since then: 2026-11-21, '2026-11-21 14:30', or 12h, 7d, 4w before now"), 1},
    {NULL, 0, NULL, 0, N_("The result:"), 2},
    {"json", KEY_JSON, NULL, 0, N_("Write JSON"), 2},
    {"csv", KEY_CSV, NULL, 0, N_("Write CSV"), 2},
    {"output", 'o', N_("FILE"), 0, N_("Write to FILE instead of the terminal"), 2},
    {"force", KEY_FORCE, NULL, 0, N_("Overwrite FILE when it exists"), 2},
    {"store", KEY_STORE, N_("FILE"), 0, N_("The store (default: uskor/store.sqlite in the user's data folder)"), 3},
    {0},
};

/* "7d": so long before now. */
static bool parse_age(const char *text, int64_t *since)
{
    static const struct {
        char unit;
        int64_t seconds;
    } units[] = {{'h', 3600}, {'d', 86400}, {'w', (int64_t)7 * 86400}};
    char number[16];
    int64_t count;
    size_t length = strlen(text);
    if (length < 2 || length >= sizeof number)
        return false;
    memcpy(number, text, length - 1);
    number[length - 1] = 0;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (text[length - 1] == units[i].unit && text_integer(number, &count) && count > 0 && count < 1000000) {
            *since = (int64_t)time(NULL) - count * units[i].seconds;
            return true;
        }
    return false;
}

static bool parse_since(const char *text, int64_t *since)
{
    static const char *const formats[] = {"%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M", "%Y-%m-%d"};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        struct tm parts = {.tm_isdst = -1};
        const char *end = strptime(text, formats[i], &parts);
        if (end && !*end) {
            const struct tm given = parts;
            *since = (int64_t)mktime(&parts); /* it would make 2 March of 30 February */
            return *since > 0 && parts.tm_mday == given.tm_mday && parts.tm_mon == given.tm_mon;
        }
    }
    return parse_age(text, since);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct store_options *stored = state->input;
    switch (key) {
    case 'r':
        stored->filter.rung = present_rung_name(NULL, argument);
        return 0;
    case 'd':
        stored->filter.device = argument;
        return 0;
    case 'o':
        stored->output = argument;
        return 0;
    case KEY_LABEL:
        stored->filter.label = argument;
        return 0;
    case KEY_SINCE:
        if (!parse_since(argument, &stored->filter.since))
            refuse_use(state, "'%s' is not a date: 2026-11-21, '2026-11-21 14:30', or 12h, 7d, 4w before now",
                       argument);
        return 0;
    case KEY_JSON:
    case KEY_CSV:
        option_form(state, key == KEY_JSON ? FORM_JSON : FORM_CSV, &stored->form);
        return 0;
    case KEY_FORCE:
        stored->force = true;
        return 0;
    case KEY_STORE:
        stored->store_name = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp stored_argp = {.options = options, .parser = parse};
const struct argp_child stored_children[] = {{&stored_argp, 0, NULL, 0}, {0}};

void store_options_choose(struct store_options *stored, const char *kernel_or_problem)
{
    struct problem problem;
    struct error error;
    if (!strchr(kernel_or_problem, ':')) {
        stored->filter.kernel = kernel_or_problem;
        return;
    }
    /* A text that is not a kernel's problem may be a probe's. */
    if (problem_parse(kernel_or_problem, &problem, &error) == STATUS_OK)
        problem_text(&problem, stored->problem);
    else
        snprintf(stored->problem, sizeof stored->problem, "%s", kernel_or_problem);
    stored->filter.problem = stored->problem;
}

enum status store_read(const char *name, struct store **store, struct error *error)
{
    output_reader_outlive();
    return store_open_to_read(name, store, error);
}

enum status store_options_open(const struct store_options *stored, struct store **store, struct error *error)
{
    return store_read(stored->store_name, store, error);
}

enum status store_options_result(const struct store_options *stored, struct result *result, struct error *error)
{
    return result_open(stored->output, stored->force, result, error);
}
