/* The machine's C++ compiler, which makes a shared object of a kernel and its hooks when a trace is asked for. */
#ifndef USKOR_EXPLAIN_MEMORY_COMPILER_H
#define USKOR_EXPLAIN_MEMORY_COMPILER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* Compiles `folder`/kernel.cpp, instrumented, and hooks.cpp into `folder`/kernel.so; or, `silent`, kernel.cpp as it is
 * into silent.so, after that. `name` is the source's, for
 * messages. The compiler is $USKOR_CXX, c++, g++ or clang++, whichever runs first. STATUS_UNAVAILABLE when none is
 * there; STATUS_INVALID with the first error when the kernel does not compile. */
enum status compiler_run(const char *folder, const char *name, bool silent, struct error *error);

/* Runs a program with its arguments (NULL-terminated; found along PATH), its input from the file `input` (NULL: none)
 * and its output and errors in the file `output`. Returns its exit code; 127 when it is not there. */
int compiler_run_tool(const char *const *arguments, const char *input, const char *output);

/* The file's content, malloc'ed and terminated; NULL when it cannot be read. */
char *compiler_read_file(const char *path);

#endif
