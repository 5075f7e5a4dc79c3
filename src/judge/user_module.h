/* A user's C file as a module: compiled by the machine's compiler, opened in children only. */
#ifndef USKOR_JUDGE_USER_MODULE_H
#define USKOR_JUDGE_USER_MODULE_H

#include "base/element.h"
#include "kernels/kernel.h"

/* Compiles `path` with $CC, cc, gcc or clang into memory; *descriptor is to be kept as long as children open it.
 * `command` receives the command line. STATUS_INVALID with the compiler's own words; STATUS_UNAVAILABLE where there is
 * no compiler. */
enum status user_module_compile(const char *path, enum element_type type, int *descriptor, char command[256],
                                struct error *error);

/* In a child: opens the module and finds the function. STATUS_INVALID names what it lacks. */
enum status user_module_open(const char *module, const char *path, const char *entry, void (**function)(void),
                             struct error *error);

#endif
