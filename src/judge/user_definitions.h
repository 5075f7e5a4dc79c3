/* Definitions in a user's file: macros, variables with an initial value, functions of one expression. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define USER_ARITHMETIC_MAX 384

/* What a name of the host stands for. */
struct user_meaning {
    char name[64];
    char text[USER_ARITHMETIC_MAX]; /* ""; it has several, or none that is known */
    bool is_real;                   /* a floating-point number: "/" does not cut it */
};

struct user_meanings {
    const char *code;  /* the file without comments and preprocessor lines */
    const char *lines; /* … with preprocessor lines */
    size_t before;     /* of a variable's definitions, the last one before this offset counts */
    const struct user_meaning *items;
    size_t count;
};

/* The initial value of the variable or macro: "= x", or what is in the parentheses or braces behind a dim3's name.
 * Returns its offset in the text that holds it, NULL where there is none; *length is the value's. */
const char *user_initial_value(const struct user_meanings *names, const char *name, size_t name_length, size_t *length);

/* The body of a macro with parameters, or of a function that returns one expression; `parameters` and `width` are those
 * of its parentheses. NULL where there is none. */
const char *user_one_expression(const struct user_meanings *names, const char *name, size_t length,
                                const char **parameters, size_t *width, size_t *body_length);
