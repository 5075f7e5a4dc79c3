/* The machine's C++ compiler. It compiles a kernel and its hooks when a trace is requested. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/compile_cache.h"
#include "base/status.h"

struct compiler {
    char command[256];
    bool is_clang;
    struct cache_key identity; /* its version, file and machine */
};

/* How a source is compiled. */
enum compiler_output {
    COMPILER_TRACED, /* a kernel, every access recorded */
    COMPILER_SILENT, /* a kernel without a record */
    COMPILER_HOOKS,
};

/* Finds the first of $USKOR_CXX, c++, g++ and clang++ that runs, once per process. `folder`: one in which it may
 * write; `name` is the source's name in messages. STATUS_UNAVAILABLE without one. */
enum status compiler_find(const char *folder, const char *name, struct compiler *compiler, struct error *error);

/* Adds the compiler and its options, but not the source. */
void compiler_add_key(const struct compiler *compiler, enum compiler_output output, struct cache_key *key);

/* Compiles `folder`/`source`.cpp into `folder`/`source`.o. *is_alone: it includes nothing from outside the folder.
 * STATUS_INVALID with the first error when it does not compile. */
enum status compiler_compile(const struct compiler *compiler, const char *folder, const char *source, const char *name,
                             enum compiler_output output, bool *is_alone, struct error *error);

/* Links kernel.o and hooks.o of `folder` into `folder`/`library`. */
enum status compiler_link(const struct compiler *compiler, const char *folder, const char *library, const char *name,
                          struct error *error);

/* Whether a process inside the walls may ask for a program of that name, and with such an option. */
bool compiler_is_program(const char *name);
bool compiler_is_option(const char *text);

/* Returns the file's content, terminated; the caller frees it. NULL when it cannot be read. *length gets its bytes,
 * unless `length` is NULL. */
char *compiler_read_file(const char *path, size_t *length);
