/* Arithmetic over names, as the header of a device rung writes it: "ceil(cols / TILE)".
 *
 * Grammar: numbers, names, + - * / %, comparisons (== != < <= > >=, giving 0 or 1), && ||, unary - and !,
 * parentheses, and the functions ceil(x), floor(x), min(a, b), max(a, b), log2(x). Values are doubles, so
 * "/" is exact division and "%" its remainder; && and || judge their right side only when it matters; an integer result
 * is asked for with expression_integer. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/* Looks a name up; false when it is unknown. `name` is not terminated: `length` says where it ends. */
typedef bool (*expression_lookup)(void *context, const char *name, int length, double *value);

/* Evaluates `text`. STATUS_INVALID with the reason (unknown name, syntax, division by zero). */
enum status expression_evaluate(const char *text, expression_lookup lookup, void *context, double *value,
                                struct error *error);

/* Syntax and names alone: nothing is computed, so a division by zero passes. */
enum status expression_check(const char *text, expression_lookup lookup, void *context, struct error *error);

/* As expression_evaluate, and the result must be an integer in 0 … 2^53. */
enum status expression_integer(const char *text, expression_lookup lookup, void *context, int64_t *value,
                               struct error *error);
