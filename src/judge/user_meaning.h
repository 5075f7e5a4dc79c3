/* The meaning of each parameter of a user's function: which of its kernel's arguments it is. */
#pragma once

#include "judge/user_kernel.h"

/* Each parameter's argument, by its name, or by position where the name is unknown; -1: none. `meaning` has
 * USER_PARAMETERS_MOST places. */
void user_meaning_match(const struct user_kernel *kernel, const struct plain_signature *signature, int *meaning);

/* The same of a function in C, whose sizes and arrays are each in the prototype's order unless const, or names that
 * leave no doubt, say otherwise. */
void user_meaning_match_function(const struct user_kernel *kernel, const struct plain_signature *signature,
                                 int *meaning);

/* Writes each parameter's argument in the form of a header's `args`. `requires` receives header lines for what the
 * kernel does not support. STATUS_INVALID names the parameter that matches nothing. */
enum status user_meaning_arguments(const struct user_kernel *kernel, const struct plain_signature *signature,
                                   const int *meaning, char arguments[512], char requires[512], struct error *error);

/* Appends what elements of that type ask of the problem: "condition, reason", a line each. ELEMENT_TYPE_COUNT: nothing.
 */
void user_meaning_require(enum element_type type, char *requires, size_t size);
