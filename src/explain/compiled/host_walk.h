/* The functions that a CPU rung leads to, in this very program or in a module that it has opened. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct host_function {
    const char *name;
    const char *file;  /* of its source, behind the folder; an object without line information: its own name */
    uintptr_t address; /* of its code, in this process */
    uint64_t bytes;
    uintptr_t base;   /* of the object that has it: `address` less the file's */
    const char *path; /* of that object's file */
};

/* Called for each function. Pointers last as long as the call. */
typedef enum status host_take(void *context, const struct host_function *function, struct error *error);

/* From the `count` functions at `starts` on (others than the first may be in another object: they are left out), by
 * calls and by addresses, through tables of functions too: those whose source is in `folder` ("/kernels/transpose/");
 * all of its object where `folder` is empty. Functions of other instruction sets
 * (`_base`, `_avx2`, `_avx512` in a name) are left out. x86-64 only. STATUS_UNAVAILABLE: no addr2line, no symbols or no
 * line information. */
enum status host_walk(const void *const *starts, size_t count, const char *folder, host_take *take, void *context,
                      struct error *error);
