/* The shared object in which a kernel is traced: compiled and linked, or taken from the cache on disk. */
#pragma once

#include "base/compile_cache.h"
#include "base/status.h"

struct module_request {
    const char *folder;             /* it has kernel.cpp, what that includes, and hooks.cpp */
    const char *name;               /* of the kernel's source, in messages */
    struct cache_key kernel, hooks; /* of kernel.cpp with what it includes, and of hooks.cpp */
    bool is_silent;                 /* without a record of accesses: silent.so, otherwise kernel.so */
    bool is_refused;                /* the cached one could not be loaded: it is compiled again */
};

/* Makes the shared object in the folder. *was_cached tells whether a compiler was needed. STATUS_UNAVAILABLE without a
 * compiler, STATUS_INVALID with the first error when the kernel does not compile. */
enum status traced_module_make(const struct module_request *request, bool *was_cached, struct error *error);

/* Finds the compiler, makes hooks.o and keeps it within the process (cache_keep_within). */
void traced_module_hold_hooks(const struct module_request *request);
