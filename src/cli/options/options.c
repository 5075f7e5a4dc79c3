#include "cli/options/options.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/size.h"
#include "base/status.h"
#include "base/text.h"
#include "base/translation.h"
#include "cli/command.h"
#include "cli/options/help.h"
#include "report/terminal/report.h"

#define OPTIONS_MOST 64

/* All that a command takes: its own options, its children's and those of every command. */
struct known_options {
    const struct argp_option *items[OPTIONS_MOST];
    bool given[OPTIONS_MOST]; /* among the arguments */
    size_t count;
};

static void collect(const struct argp_option *option, struct known_options *known)
{
    for (; option && (option->name || option->key || option->doc); option++)
        if (option->name && known->count < OPTIONS_MOST)
            known->items[known->count++] = option;
}

static void collect_all(const struct argp *argp, struct known_options *known)
{
    collect(argp->options, known);
    for (const struct argp_child *child = argp->children; child && child->argp; child++)
        collect_all(child->argp, known);
}

/* ---- what argp would refuse in words of its own ---- */

static _Noreturn void refuse(const char *name, const char *format, va_list arguments)
{
    struct error error;
    explain_from(error.text, sizeof error.text, format, arguments);
    tell(name, error.text);
    fprintf(stderr, tr("For details: %s --help\n"), name);
    exit(EXIT_USE);
}

__attribute__((format(printf, 2, 3))) static _Noreturn void refuse_option(const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    refuse(name, format, arguments);
}

static _Noreturn void refuse_long(const struct known_options *known, const char *command, const char *name,
                                  size_t length)
{
    const char *names[OPTIONS_MOST], *closest;
    char written[128];
    for (size_t i = 0; i < known->count; i++)
        names[i] = known->items[i]->name;
    snprintf(written, sizeof written, "%.*s", (int)length, name);
    closest = text_closest(written, names, known->count);
    if (closest)
        refuse_option(command, "there is no option --%s; did you mean --%s?", written, closest);
    refuse_option(command, "there is no option --%s", written);
}

/* An option by its name or by an unambiguous beginning of it. */
static const struct argp_option *find_long(const struct known_options *known, const char *command, const char *name,
                                           size_t length)
{
    const struct argp_option *found = NULL;
    for (size_t i = 0; i < known->count; i++) {
        const struct argp_option *option = known->items[i];
        if (strncmp(option->name, name, length) != 0)
            continue;
        if (strlen(option->name) == length)
            return option;
        if (found)
            refuse_option(command, "--%.*s may be --%s or --%s", (int)length, name, found->name, option->name);
        found = option;
    }
    if (!found)
        refuse_long(known, command, name, length);
    return found;
}

static void note(struct known_options *known, const struct argp_option *option)
{
    for (size_t i = 0; i < known->count; i++)
        known->given[i] = known->given[i] || known->items[i] == option;
}

/* How many arguments "--name", "--name=value" or "--name value" takes. */
static int look_at_long(struct known_options *known, const char *command, const char *argument, const char *next)
{
    const char *name = argument + 2, *value = strchr(name, '=');
    size_t length = value ? (size_t)(value - name) : strlen(name);
    const struct argp_option *option = find_long(known, command, name, length);
    note(known, option);
    if (!option->arg && value)
        refuse_option(command, "--%s takes no value; this is '%s'", option->name, value + 1);
    if (!option->arg || value || option->flags & OPTION_ARG_OPTIONAL)
        return 1;
    if (!next)
        refuse_option(command, "--%s needs a value: --%s=%s", option->name, option->name, tr(option->arg));
    return 2;
}

/* The same for "-f", "-qf" and "-ovalue". */
static int look_at_short(struct known_options *known, const char *command, const char *argument, const char *next)
{
    for (const char *letter = argument + 1; *letter; letter++) {
        const struct argp_option *option = NULL;
        for (size_t i = 0; i < known->count && !option; i++)
            option = known->items[i]->key == *letter ? known->items[i] : NULL;
        if (!option) {
            int bytes = 1;
            while (((unsigned char)letter[bytes] & 0xC0) == 0x80) /* one letter of UTF-8 */
                bytes++;
            refuse_option(command, "there is no option -%.*s", bytes, letter);
        }
        note(known, option);
        if (!option->arg)
            continue;
        if (!letter[1] && !next)
            refuse_option(command, "--%s needs a value: --%s=%s", option->name, option->name, tr(option->arg));
        return letter[1] ? 1 : 2;
    }
    return 1;
}

static void look_at(struct known_options *known, int argc, char **argv)
{
    for (int i = 1; i < argc;) {
        const char *argument = argv[i], *next = argv[i + 1];
        if (strcmp(argument, "--") == 0)
            return;
        if (argument[0] != '-' || !argument[1])
            i++;
        else if (argument[1] == '-')
            i += look_at_long(known, argv[0], argument, next);
        else
            i += look_at_short(known, argv[0], argument, next);
    }
}

/* ---- parsing ---- */

struct outer {
    const struct argp *command;
    void *input;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    const struct outer *outer = state->input;
    (void)argument;
    if (key == ARGP_KEY_INIT)
        state->child_inputs[0] = outer->input;
    if (key != KEY_HELP)
        return key == ARGP_KEY_INIT ? 0 : ARGP_ERR_UNKNOWN;
    help_print(stdout, outer->command, state->name, style_for(stdout).width);
    exit(said_all(EXIT_DONE));
}

void options_parse(const struct argp *argp, int argc, char **argv, void *input)
{
    const struct argp_child children[] = {{argp, 0, NULL, 0}, {0}};
    const struct argp all = {.options = common_options, .parser = parse, .children = children};
    struct outer outer = {argp, input};
    struct known_options known = {0};
    collect(common_options, &known);
    collect_all(argp, &known);
    look_at(&known, argc, argv);
    if (argp_parse(&all, argc, argv, ARGP_NO_HELP, NULL, &outer) != 0)
        refuse_option(argv[0], "an argument that nobody takes"); /* a parser that neither took nor refused it */
}

const char *options_beyond(const struct argp *argp, int argc, char **argv, const char *const names[])
{
    struct known_options known = {0};
    collect_all(argp, &known);
    look_at(&known, argc, argv);
    for (size_t i = 0; i < known.count; i++) {
        bool is_one = !known.given[i];
        for (size_t n = 0; names[n] && !is_one; n++)
            is_one = strcmp(names[n], known.items[i]->name) == 0;
        if (!is_one)
            return known.items[i]->name;
    }
    return NULL;
}

error_t refuse_use(const struct argp_state *state, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    refuse(state->name, format, arguments);
}

error_t refuse_argument(const struct argp_state *state, const char *argument)
{
    refuse_use(state, "'%s': this command takes no arguments", argument);
}

int64_t option_whole(const struct argp_state *state, const char *name, const char *argument, int64_t least,
                     int64_t most)
{
    int64_t value;
    if (!text_integer(argument, &value) || value < least || value > most)
        refuse_use(state, "--%s takes a whole number from %ld to %ld; this is '%s'", name, (long)least, (long)most,
                   argument);
    return value;
}

double option_number(const struct argp_state *state, const char *name, const char *argument, double least, double most)
{
    double value;
    if (!text_real(argument, &value) || value < least || value > most)
        refuse_use(state, "--%s takes a number from %g to %g; this is '%s'", name, least, most, argument);
    return value;
}

void option_form(const struct argp_state *state, enum form chosen, enum form *form)
{
    if (*form != FORM_TABLE && *form != chosen)
        refuse_use(state, "one form, not two of --json, --csv and --markdown");
    *form = chosen;
}

error_t options_hand_down(int key, char *argument, struct argp_state *state)
{
    (void)argument;
    if (key != ARGP_KEY_INIT)
        return ARGP_ERR_UNKNOWN;
    state->child_inputs[0] = state->input;
    return 0;
}
