/* A command's options: argp's tables, with messages and help in the reader's language.
 *
 * Every text in the tables (doc, args_doc, an option's doc and its argument's name) is marked for translation
 * (base/translation.h). The first paragraph of a `doc` stands above the options, the others below. Help shows
 * a table's entries in their order; an entry without a name and key heads those that follow it. */
#pragma once

#include <argp.h>
#include <stdint.h>

/* Parses the arguments into `input` as argp_parse does, and returns when all is right. Asked for help it prints that
 * and ends the program with EXIT_DONE; wrong use ends it as refuse_use does. */
void options_parse(const struct argp *argp, int argc, char **argv, void *input);

/* The first option among the arguments that is not one of `names` (NULL-terminated, without "--"); NULL: there is none.
 * For a way to run a command that knows few of its options. */
const char *options_beyond(const struct argp *argp, int argc, char **argv, const char *const names[]);

/* Ends the program with EXIT_USE and "uskor sort: message", the message made as by fail(), and where
 * help is to be had. It has argp's return type, as parsers end with it. */
_Noreturn error_t refuse_use(const struct argp_state *state, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* … because the command takes no arguments but options. */
_Noreturn error_t refuse_argument(const struct argp_state *state, const char *argument);

/* The value of --`name`, whole or not, from `least` to `most`; anything else is wrong use. */
int64_t option_whole(const struct argp_state *state, const char *name, const char *argument, int64_t least,
                     int64_t most);
double option_number(const struct argp_state *state, const char *name, const char *argument, double least, double most);

/* How a result is written. */
enum form {
    FORM_TABLE,
    FORM_JSON,
    FORM_CSV,
    FORM_MARKDOWN,
};

/* Takes --json, --csv or --markdown; two in one command are wrong use. */
void option_form(const struct argp_state *state, enum form chosen, enum form *form);

/* The parser of a command that has no options of its own: its only child's input is its own. */
error_t options_hand_down(int key, char *argument, struct argp_state *state);
