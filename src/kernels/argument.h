/* One argument of a device rung's kernel function, as the header's `args` spells it. */
#pragma once

#include "kernels/rung_header.h"

#define ARGUMENT_SCRATCH (-1)

struct argument {
    enum argument_kind kind;
    int array;                              /* of a buffer: its index, or ARGUMENT_SCRATCH */
    char expression[SOURCE_EXPRESSION_MAX]; /* of a number */
};

/* Reads "in", "scratch", "int(x)", "long(x)", "float(x)", "double(x)", the name of a real (in the elements' precision)
 * or an expression (a long). The expression is not judged here. */
enum status argument_read(const struct problem *problem, const char *text, struct argument *argument,
                          struct error *error);

/* The default list: all arrays, then all fields but those host_only or `unless_taken`. Returns how many, at most
 * SOURCE_ARGUMENTS_MAX. */
size_t argument_defaults(const struct problem *problem, struct argument *arguments);
