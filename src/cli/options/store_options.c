#include "cli/options/store_options.h"

#include "base/output_reader.h"
#include "base/translation.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"

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

void option_moment(void *moment, const char *argument, const struct options_state *state)
{
    if (!parse_since(argument, moment))
        refuse_use(state, "'%s' is not a date: 2026-11-21, '2026-11-21 14:30', or 12h, 7d, 4w before now", argument);
}

static const struct option options[] = {
    {.doc = N_("Which measurements:")},
    {"rung", 'r', N_("RUNG"), N_("Of this rung only"), SETS_TEXT(struct store_options, filter.rung)},
    {"device", 'd', N_("DEVICE"), N_("Of this device only: cpu, opencl:0, cuda:0 …"),
     SETS_TEXT(struct store_options, filter.device)},
    {"label", 0, N_("TEXT"), N_("Of runs with this label only; a '*' at its end stands for anything"),
     SETS_TEXT(struct store_options, filter.label)},
    {"since", 0, N_("DATE"), N_("Made since then: 2026-11-21, '2026-11-21 14:30', or 12h, 7d, 4w before now"),
     READ_INTO(struct store_options, filter.since, option_moment)},
    {.doc = N_("The result:")},
    {"json", 0, NULL, N_("Write JSON"), SETS_FORM(struct store_options, form, FORM_JSON)},
    {"csv", 0, NULL, N_("Write CSV"), SETS_FORM(struct store_options, form, FORM_CSV)},
    {"markdown", 0, NULL, N_("Write a Markdown table"), SETS_FORM(struct store_options, form, FORM_MARKDOWN)},
    {"output", 'o', N_("FILE"), N_("Write to FILE instead of the terminal"), SETS_TEXT(struct store_options, output)},
    {"force", 0, NULL, N_("Overwrite FILE when it exists"), SETS_FLAG(struct store_options, force)},
    {"store", 0, N_("FILE"), N_("The store (default: uskor/store.sqlite in the user's data folder)"),
     SETS_TEXT(struct store_options, store_name)},
    {0},
};

/* No argument of its own: a command says what it takes. */
const struct usage stored_usage = {.options = options};

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
