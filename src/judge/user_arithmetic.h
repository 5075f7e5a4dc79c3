/* The host's arithmetic in a CUDA file, as a rung's header writes it (base/expression.h): "(n + T - 1) / T" of integers
 * becomes "floor((n + 32 - 1) / 32)". */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "judge/user_definitions.h"

/* Names that are not among the meanings are looked up in the file: macros, variables with an initial value, macros and
 * functions that return one expression. False where something is not known. */
bool user_arithmetic(const struct user_meanings *names, const char *text, size_t length,
                     char made[USER_ARITHMETIC_MAX]);

/* The same for a value that is an integer without the problem's fields. */
bool user_arithmetic_integer(const struct user_meanings *names, const char *text, size_t length, long long *value);
