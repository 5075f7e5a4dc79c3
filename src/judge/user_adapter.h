/* A function in C with parameters of its own: a function with the kernel's parameters that calls it. */
#pragma once

#include "base/element.h"
#include "kernels/plain.h"

/* The function that is made, and called where it is there. */
#define USER_ADAPTER_NAME "uskor_call"

struct user_adapter {
    char code[2048];     /* a file in C; "" where the function has the kernel's own parameters */
    char arguments[512]; /* of the user's function, as in a header: "int(m), int(n), a, b" */
    char requires[512];  /* of the problem: "m == n, its one size asks for square matrices", each with a line end */
};

/* Reads the definition of `entry`: its parameters' meaning follows from their names, and from their positions where the
 * names are unknown; `arguments` (NULL: none) says it instead. A function that is not found there (a macro may make it)
 * is taken as it is. STATUS_INVALID names the parameter without a meaning, and the right prototype. */
enum status user_adapter_make(const char *text, const char *entry, enum element_type type, const char *arguments,
                              const struct plain_signature *signature, struct user_adapter *adapter,
                              struct error *error);
