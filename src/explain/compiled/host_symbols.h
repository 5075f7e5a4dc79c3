/* The functions of this very program (or of the library that it is), as its table of symbols has them. */
#ifndef USKOR_EXPLAIN_COMPILED_HOST_SYMBOLS_H
#define USKOR_EXPLAIN_COMPILED_HOST_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct host_symbol {
    const char *name; /* in the mapped file */
    uint64_t address; /* as the file has it: the process has it `base` further */
    uint64_t bytes;
    bool is_function; /* else an object: a table of functions, perhaps */
};

struct host_symbols {
    char path[512];
    uintptr_t base;
    void *file; /* mapped */
    size_t file_bytes;
    struct host_symbol *items; /* by address */
    size_t count;
};

/* Of the file that has the code at `address`. STATUS_UNAVAILABLE when it has no table of symbols (it was stripped). */
enum status host_symbols_open(const void *address, struct host_symbols *symbols, struct error *error);
void host_symbols_close(struct host_symbols *symbols); /* a zeroed one is fine */

/* The symbol that holds the address of the file; NULL when none does. */
const struct host_symbol *host_symbol_at(const struct host_symbols *symbols, uint64_t address);

#endif
