/* Reading a rung's header: what the readers of its keys share. */
#pragma once

#include "kernels/rung_header.h"
#include "kernels/rung_header_block.h"

/* A rung and what it points to are one piece of memory. */
struct device_rung {
    struct rung rung;
    struct device_source source;
};

struct reader {
    const char *path;
    const struct kernel *kernel;
    const struct rung *host_half;
    struct device_rung *made;
    struct problem example; /* the kernel's defaults: used as the problem when names are checked */
    struct parameters no_parameters;
    const struct device *device; /* the device in requirements; else NULL: its names are not to be used */
    int line;                    /* being read */
    struct error *error;
};

/* Refuses the line being read; a status, so that a failing path is one line. */
#define REFUSE(reader, ...)                              \
    (fail((reader)->error, STATUS_INVALID, __VA_ARGS__), \
     fail_in((reader)->error, STATUS_INVALID, "%s:%d", (reader)->path, (reader)->line))

/* Without the blanks around it; writes into `text`. */
char *source_trim(char *text);

/* Cuts the next piece off *rest at a `separator` outside parentheses; NULL when nothing is left. An empty piece is "".
 */
char *source_cut(char **rest, char separator);

/* The name of a function or a macro in C. */
bool source_is_identifier(const char *text);

/* Copies a bounded text; `what` names it in the message when it is too long. */
enum status source_copy(struct reader *reader, const char *what, const char *text, char *target, size_t size);

/* Checks the names and the syntax of an expression, then copies it. */
enum status source_copy_expression(struct reader *reader, const char *what, const char *text,
                                   char target[SOURCE_EXPRESSION_MAX]);

/* Reads the value of `key` into the rung; `value` may be changed. */
enum status source_value_read(struct reader *reader, enum source_key key, char *value);

/* The same for "tune: NAME = EXPRESSION in VALUE …; …". */
enum status source_tunables_read(struct reader *reader, char *value);
