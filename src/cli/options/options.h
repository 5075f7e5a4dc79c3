/* A command's options: tables of rows, each with the place of its value, and messages and help in the reader's
 * language.
 *
 * Every text in the tables (doc, args_doc, an option's doc and its value's name) is marked for translation
 * (base/translation.h). The first paragraph of a `doc` stands above the options, the others below. Help shows
 * a table's rows in their order. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a result is written. */
enum form {
    FORM_TABLE,
    FORM_JSON,
    FORM_CSV,
    FORM_MARKDOWN,
};

/* While a command's arguments are read: whose they are. */
struct options_state {
    const char *name; /* "uskor sort" */
    const struct usage *usage;
};

enum option_effect {
    OPTION_WITHOUT_EFFECT,
    OPTION_SETS_VALUE,  /* `value`, into a bool or an integer */
    OPTION_SETS_TEXT,   /* what was written */
    OPTION_SETS_WHOLE,  /* from `least` to `most` */
    OPTION_SETS_NUMBER, /* … */
    OPTION_SETS_FORM,   /* `value`, unless another form was chosen */
    OPTION_IS_READ,     /* by `read` */
};

struct option {
    const char *name;     /* "device"; NULL: the row heads those that follow it, or, without a doc, is the last */
    char letter;          /* 'd'; 0: it has none */
    const char *argument; /* what help calls its value; NULL: it takes none */
    const char *doc;      /* NULL: help does not show it */
    enum option_effect effect;
    size_t at, bytes; /* of what it sets, in the command's arguments */
    int64_t value;
    double least, most;
    void (*read)(void *at, const char *argument, const struct options_state *state);
    bool is_optional; /* its value */
};

/* What a row does to a member of the command's arguments. A member of another type does not compile. */
#define OPTION_INTO(type, member, wanted)                                                    \
    .at = offsetof(type, member) + 0 * sizeof(_Generic(((type *)NULL)->member, wanted : 0)), \
    .bytes = sizeof(((type *)NULL)->member)
#define SETS_FLAG(type, member) .effect = OPTION_SETS_VALUE, OPTION_INTO(type, member, bool), .value = true
#define SETS_TEXT(type, member) .effect = OPTION_SETS_TEXT, OPTION_INTO(type, member, const char *)
#define SETS_FORM(type, member, chosen) \
    .effect = OPTION_SETS_FORM, OPTION_INTO(type, member, enum form), .value = (chosen)
#define SETS_NUMBER(type, member, from, to) \
    .effect = OPTION_SETS_NUMBER, OPTION_INTO(type, member, double), .least = (from), .most = (to)
#define SETS_VALUE(type, member, number)                                          \
    .effect = OPTION_SETS_VALUE, .at = offsetof(type, member), .value = (number), \
    .bytes = sizeof(((type *)NULL)->member)
#define SETS_WHOLE(type, member, from, to)                                                    \
    .effect = OPTION_SETS_WHOLE, .at = offsetof(type, member), .least = (from), .most = (to), \
    .bytes = sizeof(((type *)NULL)->member)
#define READ_BY(function) .effect = OPTION_IS_READ, .read = (function)
#define READ_INTO(type, member, function) READ_BY(function), .at = offsetof(type, member)

/* A command's only argument, as text; what is said to a second one. */
#define TAKES_ONE(type, member, refusal) .one_only = (refusal), .one_at = offsetof(type, member)

/* How a command is used. */
struct usage {
    const struct option *options; /* NULL: none of its own */
    const char *args_doc, *doc;
    const struct usage *shared; /* by several commands: their options follow its own; NULL: none */
    size_t shared_at;           /* where their values go, in the command's arguments */
    /* What is not an option; NULL: the shared one's, and without that an argument is wrong use. */
    void (*argument)(void *arguments, const char *argument, const struct options_state *state);
    const char *one_only; /* instead of it: one argument, as text, and what is said to a second one */
    size_t one_at;
    /* When all are read, the shared one first: what does not go together is wrong use. */
    void (*check)(void *arguments, const struct options_state *state);
};

/* Reads the arguments into `arguments`: the options in their order, then what is not one. Returns when all is right.
 * Asked for help it prints that and ends the program with EXIT_DONE; wrong use ends it as refuse_use does. */
void options_parse(const struct usage *usage, int argc, char **argv, void *arguments);

/* The first option among the arguments that is not one of `names` (NULL-terminated, without "--"); NULL: there is none.
 * For a way to run a command that knows few of its options. */
const char *options_beyond(const struct usage *usage, int argc, char **argv, const char *const names[]);

/* Ends the program with EXIT_USE and "uskor sort: message", the message made as by fail(), and where
 * help is to be had. */
_Noreturn void refuse_use(const struct options_state *state, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* … because the command takes no arguments but options. */
_Noreturn void refuse_argument(const struct options_state *state, const char *argument);

/* The value of --`name`, whole or not, from `least` to `most`; anything else is wrong use. */
int64_t option_whole(const struct options_state *state, const char *name, const char *argument, int64_t least,
                     int64_t most);
double option_number(const struct options_state *state, const char *name, const char *argument, double least,
                     double most);
