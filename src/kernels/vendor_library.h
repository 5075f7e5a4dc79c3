/* A vendor's library that a rung opens for a run, and closes after it. */
#pragma once

#include "base/dynamic_library.h"
#include "kernels/kernel.h"

/* The first member of such a rung's run->state. */
struct vendor_library {
    void *handle;
};

/* For rung->prepare: makes run->state, a struct of `size` bytes that begins with a struct vendor_library and is zero
 * but for the functions that `symbols` places in it. The run owns it, until vendor_library_finish. STATUS_UNAVAILABLE,
 * and run->state NULL, without memory or where the library is not there. */
enum status vendor_library_prepare(struct run *run, size_t size, const struct dynamic_library *library,
                                   const struct dynamic_symbol *symbols, size_t symbol_count, struct error *error);

/* rung->finish, or the end of it: closes the library and frees the state. */
void vendor_library_finish(struct run *run);
