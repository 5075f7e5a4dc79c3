/* Opening runtimes and vendor libraries when the program runs, so that one binary serves every machine.
 *
 * A library is described once as a list of functions (an X-macro in its user's file) and a struct of pointers. */
#pragma once

#include <stddef.h>

#include "base/status.h"

struct dynamic_symbol {
    const char *name;
    size_t offset; /* of the pointer in the caller's struct of functions */
    int optional;  /* absent is fine: the pointer stays NULL */
};

struct dynamic_library {
    const char *title;        /* "OpenBLAS" */
    const char *const *names; /* tried in order, NULL-terminated: "libopenblas.so.0", …; "libdnnl.so.3.*": the newest */
    const char *const *folders; /* tried before the loader's own path, NULL-terminated, or NULL */
    const char *advice;         /* "install libopenblas0-pthread" */
};

/* Only absolute paths and plain names are opened: a folder or name that is relative leads to wherever the program was
 * started. The folder that LD_LIBRARY_PATH names is the user's affair.
 *
 * Opens the library and fills `functions` (a struct that begins at the symbols' offset 0). On success *handle may be
 * given to dynamic_library_close. STATUS_UNAVAILABLE says which names were tried, the loader's word, and the advice. */
enum status dynamic_library_open(const struct dynamic_library *library, const struct dynamic_symbol *symbols,
                                 size_t symbol_count, void *functions, void **handle, struct error *error);
/* The same for a library of Uskor's own: looked for in `folders` and nowhere else. */
enum status dynamic_library_open_own(const struct dynamic_library *library, const struct dynamic_symbol *symbols,
                                     size_t symbol_count, void *functions, void **handle, struct error *error);
void dynamic_library_close(void *handle);
