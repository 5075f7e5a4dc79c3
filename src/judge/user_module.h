/* A user's C file as a module: built with the machine's compiler, opened only in children. */
#pragma once

#include "base/element.h"
#include "kernels/kernel.h"

/* Compiles `path` with $CC, cc, gcc or clang into memory, together with the C text `beside` ("": none). The caller owns
 * *descriptor and closes it after the last child; `command` receives the command line.
 *
 * Returns: STATUS_INVALID with the compiler's message; STATUS_UNAVAILABLE without a compiler. */
enum status user_module_compile(const char *path, enum element_type type, const char *beside, int *descriptor,
                                char command[256], struct error *error);

/* In a child: opens the module and finds the function. STATUS_INVALID names the missing symbol. */
enum status user_module_open(const char *module, const char *path, const char *entry, const char *prototype,
                             void (**function)(void), struct error *error);
