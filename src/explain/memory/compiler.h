/* The machine's C++ compiler. It builds a shared object from a kernel and its hooks when a trace is requested. */
#ifndef USKOR_EXPLAIN_MEMORY_COMPILER_H
#define USKOR_EXPLAIN_MEMORY_COMPILER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* Compiles `folder`/kernel.cpp, instrumented, and hooks.cpp into `folder`/kernel.so. With `silent`: kernel.cpp, not
 * instrumented, into silent.so; that must come second. `name` is the source's name in messages. The compiler is the
 * first of $USKOR_CXX, c++, g++ and clang++ that runs.
 *
 * Returns: STATUS_UNAVAILABLE without a compiler; STATUS_INVALID with the first error when the kernel does not compile.
 */
enum status compiler_run(const char *folder, const char *name, bool silent, struct error *error);

/* Runs a program with its arguments (NULL-terminated; searched along PATH). Its input comes from the file `input`
 * (NULL: none), its output and errors go to the file `output`. Returns its exit code; 127 when it does not exist. */
int compiler_run_tool(const char *const *arguments, const char *input, const char *output);

/* Returns the file's content, terminated; the caller frees it. NULL when it cannot be read. */
char *compiler_read_file(const char *path);

#endif
