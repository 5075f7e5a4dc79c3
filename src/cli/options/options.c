#include "cli/options/options.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/status.h"
#include "base/text.h"
#include "base/translation.h"
#include "cli/command.h"
#include "cli/options/help.h"

#define OPTIONS_MOST 64

/* All that a command takes: the options of every command, its own and the shared ones. */
struct known_options {
    const struct option *items[OPTIONS_MOST];
    void *into[OPTIONS_MOST]; /* whose values go there */
    bool given[OPTIONS_MOST]; /* among the arguments */
    size_t count;
    struct options_state state;
    enum { LOOK, SET, TAKE } stage; /* all are known and have values; then options have their effect; then the others */
};

static void collect(const struct option *option, void *into, struct known_options *known)
{
    for (; option && (option->name || option->doc); option++)
        if (option->name && known->count < OPTIONS_MOST) {
            known->into[known->count] = into;
            known->items[known->count++] = option;
        }
}

static struct known_options collect_all(const struct usage *usage, const char *name, void *into)
{
    struct known_options known = {.state = {.name = name, .usage = usage}};
    collect(common_options, NULL, &known);
    for (; usage; into = (char *)into + usage->shared_at, usage = usage->shared)
        collect(usage->options, into, &known);
    return known;
}

/* ---- wrong use ---- */

static _Noreturn void refuse(const char *name, const char *format, va_list arguments)
{
    struct error error;
    explain_from(error.text, sizeof error.text, format, arguments);
    tell(name, error.text);
    fprintf(stderr, tr("For details: %s --help\n"), name);
    exit(EXIT_USE);
}

_Noreturn void refuse_use(const struct options_state *state, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    refuse(state->name, format, arguments);
}

_Noreturn void refuse_argument(const struct options_state *state, const char *argument)
{
    refuse_use(state, "'%s': this command takes no arguments", argument);
}

static _Noreturn void refuse_long(const struct known_options *known, const char *name, size_t length)
{
    const char *names[OPTIONS_MOST], *closest;
    char written[128];
    for (size_t i = 0; i < known->count; i++)
        names[i] = known->items[i]->name;
    snprintf(written, sizeof written, "%.*s", (int)length, name);
    closest = text_closest(written, names, known->count);
    if (closest)
        refuse_use(&known->state, "there is no option --%s; did you mean --%s?", written, closest);
    refuse_use(&known->state, "there is no option --%s", written);
}

/* An option by its name or by an unambiguous beginning of it. */
static size_t find_long(const struct known_options *known, const char *name, size_t length)
{
    size_t found = known->count;
    for (size_t i = 0; i < known->count; i++) {
        const struct option *option = known->items[i];
        if (strncmp(option->name, name, length) != 0)
            continue;
        if (strlen(option->name) == length)
            return i;
        if (found < known->count)
            refuse_use(&known->state, "--%.*s may be --%s or --%s", (int)length, name, known->items[found]->name,
                       option->name);
        found = i;
    }
    if (found == known->count)
        refuse_long(known, name, length);
    return found;
}

/* ---- effects ---- */

int64_t option_whole(const struct options_state *state, const char *name, const char *argument, int64_t least,
                     int64_t most)
{
    int64_t value;
    if (!text_integer(argument, &value) || value < least || value > most)
        refuse_use(state, "--%s takes a whole number from %ld to %ld; this is '%s'", name, (long)least, (long)most,
                   argument);
    return value;
}

double option_number(const struct options_state *state, const char *name, const char *argument, double least,
                     double most)
{
    double value;
    if (!text_real(argument, &value) || value < least || value > most)
        refuse_use(state, "--%s takes a number from %g to %g; this is '%s'", name, least, most, argument);
    return value;
}

static void set_whole(void *at, size_t bytes, int64_t value)
{
    const bool flag = value;
    const uint32_t narrow = (uint32_t)value;
    memcpy(at,
           bytes == sizeof flag     ? (const void *)&flag
           : bytes == sizeof narrow ? (const void *)&narrow
                                    : &value,
           bytes);
}

static void set_form(const struct options_state *state, enum form chosen, enum form *form)
{
    if (*form != FORM_TABLE && *form != chosen)
        refuse_use(state, "one form, not two of --json, --csv and --markdown");
    *form = chosen;
}

static void take_effect(const struct option *option, void *into, const char *argument,
                        const struct options_state *state)
{
    void *at = into ? (char *)into + option->at : NULL;
    switch (option->effect) {
    case OPTION_WITHOUT_EFFECT:
        return;
    case OPTION_SETS_VALUE:
        set_whole(at, option->bytes, option->value);
        return;
    case OPTION_SETS_TEXT:
        *(const char **)at = argument;
        return;
    case OPTION_SETS_WHOLE:
        set_whole(at, option->bytes,
                  option_whole(state, option->name, argument, (int64_t)option->least, (int64_t)option->most));
        return;
    case OPTION_SETS_NUMBER:
        *(double *)at = option_number(state, option->name, argument, option->least, option->most);
        return;
    case OPTION_SETS_FORM:
        set_form(state, (enum form)option->value, at);
        return;
    case OPTION_IS_READ:
        option->read(at, argument, state);
        return;
    }
}

static void meet(struct known_options *known, size_t index, const char *argument)
{
    known->given[index] = true;
    if (known->stage == SET)
        take_effect(known->items[index], known->into[index], argument, &known->state);
}

/* ---- the arguments ---- */

/* How many arguments "--name", "--name=value" or "--name value" takes. */
static int meet_long(struct known_options *known, const char *argument, const char *next)
{
    const char *name = argument + 2, *value = strchr(name, '=');
    const size_t index = find_long(known, name, value ? (size_t)(value - name) : strlen(name));
    const struct option *option = known->items[index];
    const bool takes_next = option->argument && !value && !option->is_optional;
    if (!option->argument && value)
        refuse_use(&known->state, "--%s takes no value; this is '%s'", option->name, value + 1);
    if (takes_next && !next)
        refuse_use(&known->state, "--%s needs a value: --%s=%s", option->name, option->name, tr(option->argument));
    meet(known, index, value ? value + 1 : takes_next ? next : NULL);
    return takes_next ? 2 : 1;
}

/* The same for "-f", "-qf" and "-ovalue". */
static int meet_short(struct known_options *known, const char *argument, const char *next)
{
    for (const char *letter = argument + 1; *letter; letter++) {
        size_t index = 0;
        while (index < known->count && known->items[index]->letter != *letter)
            index++;
        if (index == known->count) {
            int bytes = 1;
            while (((unsigned char)letter[bytes] & 0xC0) == 0x80) /* one letter of UTF-8 */
                bytes++;
            refuse_use(&known->state, "there is no option -%.*s", bytes, letter);
        }
        const struct option *option = known->items[index];
        if (option->argument && !letter[1] && !next)
            refuse_use(&known->state, "--%s needs a value: --%s=%s", option->name, option->name, tr(option->argument));
        meet(known, index, !option->argument ? NULL : letter[1] ? letter + 1 : next);
        if (option->argument)
            return letter[1] ? 1 : 2;
    }
    return 1;
}

static void take_one(const char **place, const char *argument, const char *one_only, const struct options_state *state)
{
    if (*place)
        refuse_use(state, "%s", one_only);
    *place = argument;
}

static void meet_argument(const struct known_options *known, const char *argument, void *into)
{
    const struct usage *usage = known->state.usage;
    if (known->stage != TAKE)
        return;
    for (; usage->shared && !usage->argument && !usage->one_only; usage = usage->shared)
        into = (char *)into + usage->shared_at;
    if (usage->argument)
        usage->argument(into, argument, &known->state);
    else if (usage->one_only)
        take_one((const char **)((char *)into + usage->one_at), argument, usage->one_only, &known->state);
    else
        refuse_argument(&known->state, argument);
}

static void meet_all(struct known_options *known, int argc, char **argv, void *into)
{
    bool are_over = false; /* the options */
    for (int i = 1; i < argc;) {
        const char *argument = argv[i], *next = argv[i + 1];
        if (are_over || argument[0] != '-' || !argument[1]) {
            meet_argument(known, argument, into);
            i++;
        } else if (strcmp(argument, "--") == 0) {
            are_over = true;
            i++;
        } else if (argument[1] == '-') {
            i += meet_long(known, argument, next);
        } else {
            i += meet_short(known, argument, next);
        }
    }
}

static void check(const struct usage *usage, void *into, const struct options_state *state)
{
    if (usage->shared)
        check(usage->shared, (char *)into + usage->shared_at, state);
    if (usage->check)
        usage->check(into, state);
}

void options_parse(const struct usage *usage, int argc, char **argv, void *arguments)
{
    struct known_options known = collect_all(usage, argv[0], arguments);
    for (known.stage = LOOK; known.stage <= TAKE; known.stage++)
        meet_all(&known, argc, argv, arguments);
    check(usage, arguments, &known.state);
}

const char *options_beyond(const struct usage *usage, int argc, char **argv, const char *const names[])
{
    struct known_options known = collect_all(usage, argv[0], NULL);
    meet_all(&known, argc, argv, NULL);
    for (size_t i = 0; i < known.count; i++) {
        bool is_one = !known.given[i];
        for (size_t n = 0; names[n] && !is_one; n++)
            is_one = strcmp(names[n], known.items[i]->name) == 0;
        if (!is_one)
            return known.items[i]->name;
    }
    return NULL;
}
