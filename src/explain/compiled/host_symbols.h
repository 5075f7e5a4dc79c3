/* The functions of this program (or of the library that contains this code), from its symbol table. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct host_symbol {
    const char *name; /* in the mapped file */
    uint64_t address; /* in the file; the process has it at `base` + address */
    uint64_t bytes;
    bool is_function; /* false for an object, e.g. a table of functions */
};

struct host_symbols {
    char path[512];
    uintptr_t base;
    void *file; /* mapped */
    size_t file_bytes;
    struct host_symbol *items; /* by address */
    size_t count;
};

/* Reads the symbols of the file that contains the code at `address`. STATUS_UNAVAILABLE when it has no symbol table
 * (stripped); *symbols is then empty. */
enum status host_symbols_open(const void *address, struct host_symbols *symbols, struct error *error);
void host_symbols_close(struct host_symbols *symbols); /* a zeroed one is fine */

/* The symbol that contains this address of the file; NULL when none does. */
const struct host_symbol *host_symbol_at(const struct host_symbols *symbols, uint64_t address);
