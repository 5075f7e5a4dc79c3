/* The host's arithmetic in a CUDA file, as a rung's header writes it (base/expression.h): "(n + T - 1) / T" of integers
 * becomes "floor((n + 32 - 1) / 32)". */
#ifndef USKOR_JUDGE_USER_ARITHMETIC_H
#define USKOR_JUDGE_USER_ARITHMETIC_H

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

/* Names that are not among the meanings are looked up in the file: macros, variables with an initial value, macros and
 * functions that return one expression. False where something is not known. */
bool user_arithmetic(const struct user_meanings *names, const char *text, size_t length,
                     char made[USER_ARITHMETIC_MAX]);

/* The same for a value that is an integer without the problem's fields. */
bool user_arithmetic_integer(const struct user_meanings *names, const char *text, size_t length, long long *value);

/* The initial value of the variable or macro: "= x", or what is in the parentheses or braces behind a dim3's name.
 * Returns its offset in the text that holds it, NULL where there is none; *length is the value's. */
const char *user_initial_value(const struct user_meanings *names, const char *name, size_t name_length, size_t *length);

#endif
