#include "explain/compiled/host_walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/cpu.h"
#include "base/size.h"
#include "explain/compiled/host_symbols.h"
#include "explain/compiled/source_lines.h"
#include "explain/compiled/x86.h"

#define FUNCTIONS_MOST 192
#define TABLE_BYTES_MOST 1024 /* smaller than a struct rung, so that rungs are not followed */
#define TABLES_DEEP 2
#define CALLS_DEEP 8

struct function {
    const struct host_symbol *symbol;
    char file[64]; /* source file; empty: not one of the kernels' */
};

struct search {
    char folder[64]; /* of the rung's sources: "/kernels/transpose/" */
    struct host_symbols symbols;
    struct function functions[FUNCTIONS_MOST];
    size_t count;
    host_take *take;
    void *context;
    size_t taken;
};

static bool add_function(struct search *search, uint64_t address)
{
    const struct host_symbol *symbol = host_symbol_at(&search->symbols, address);
    if (!symbol || !symbol->is_function || search->count == FUNCTIONS_MOST)
        return false;
    for (size_t i = 0; i < search->count; i++)
        if (search->functions[i].symbol == symbol)
            return false;
    search->functions[search->count++] = (struct function){.symbol = symbol};
    return true;
}

/* A function named after an instruction set is executed only if it is this processor's. */
static bool is_for_others(const char *name)
{
    static const struct {
        const char *part;
        enum cpu_isa isa;
    } parts[] = {{"_base", CPU_ISA_BASE}, {"_avx2", CPU_ISA_AVX2}, {"_avx512", CPU_ISA_AVX512}};
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        if (strstr(name, parts[i].part) && cpu_isa() != parts[i].isa)
            return true;
    return false;
}

/* ---- the functions' source files ---- */

/* The functions from `first` on; their innermost lines come first, the others are passed over. */
struct sought {
    struct search *search;
    size_t first, next;
};

/* "…/src/kernels/transpose/simd_avx2.c:33" */
static void take_file(void *context, size_t number, const char *line, size_t length)
{
    struct sought *sought = context;
    const struct search *search = sought->search;
    if (number < sought->next)
        return;
    sought->next = number + 1;
    struct function *function = &sought->search->functions[sought->first + number];
    const char *found = NULL, *colon = memchr(line, ':', length), *end = colon ? colon : line + length;
    const char *folder = search->folder[0] ? search->folder : "/";
    for (const char *at = line; (at = strstr(at, folder)) != NULL && at < end; at++)
        found = at + strlen(folder);
    if (!found && !search->folder[0])
        found = line;
    if (!found || (size_t)(end - found) >= sizeof function->file || is_for_others(function->symbol->name))
        return;
    snprintf(function->file, sizeof function->file, "%.*s", (int)(end - found), found);
    if (is_for_others(function->file))
        function->file[0] = '\0';
}

/* Finds the source files of the functions from `first` on. */
static enum status find_files(struct search *search, size_t first, struct error *error)
{
    uint64_t addresses[FUNCTIONS_MOST];
    struct sought sought = {.search = search, .first = first};
    for (size_t i = first; i < search->count; i++)
        addresses[i - first] = search->functions[i].symbol->address;
    return source_lines(search->symbols.path, addresses, search->count - first, take_file, &sought, error);
}

/* ---- functions that a function leads to ---- */

/* An object that holds addresses of functions, or of such objects, as relocated by the loader. */
static void follow_table(struct search *search, const struct host_symbol *object, int depth)
{
    const struct host_symbols *symbols = &search->symbols;
    const unsigned char *memory = (const unsigned char *)(symbols->base + (uintptr_t)object->address);
    uint64_t bytes = object->bytes <= TABLE_BYTES_MOST ? object->bytes : 0;
    for (uint64_t at = 0; at + sizeof(uintptr_t) <= bytes; at += sizeof(uintptr_t)) {
        uintptr_t value;
        memcpy(&value, memory + at, sizeof value);
        const struct host_symbol *symbol =
            value > symbols->base ? host_symbol_at(symbols, value - symbols->base) : NULL;
        if (!symbol || symbol->address != value - symbols->base)
            continue;
        if (symbol->is_function)
            add_function(search, symbol->address);
        else if (depth > 1)
            follow_table(search, symbol, depth - 1);
    }
}

/* An unnamed word that the code loads: a linker's entry with the address of a named object. */
static const struct host_symbol *follow_word(const struct search *search, uint64_t *address)
{
    uintptr_t value;
    memcpy(&value, (const void *)(search->symbols.base + (uintptr_t)*address), sizeof value);
    if (value < search->symbols.base)
        return NULL;
    *address = value - search->symbols.base;
    return host_symbol_at(&search->symbols, *address);
}

static void follow_address(struct search *search, uint64_t address, bool is_loaded)
{
    const struct host_symbol *symbol = host_symbol_at(&search->symbols, address);
    if (!symbol && is_loaded)
        symbol = follow_word(search, &address);
    if (!symbol)
        return;
    if (symbol->is_function)
        add_function(search, address);
    else
        follow_table(search, symbol, TABLES_DEEP);
}

/* Calls, and addresses beside %rip, of the function's code. */
static void follow_function(struct search *search, const struct host_symbol *symbol)
{
    const char *code = (const char *)(search->symbols.base + (uintptr_t)symbol->address);
    for (size_t at = 0, length; at < symbol->bytes; at += length) {
        const struct x86_instruction one = x86_decode(code + at, symbol->bytes - at, symbol->address + at);
        length = one.code.length;
        if (one.target || one.on_rip)
            follow_address(search, one.target ? one.target : one.on_rip, one.code.mnemonic == ZYDIS_MNEMONIC_MOV);
    }
}

static enum status hand_over(struct search *search, const struct function *function, struct error *error)
{
    const struct host_function found = {.name = function->symbol->name,
                                        .file = function->file,
                                        .address = search->symbols.base + (uintptr_t)function->symbol->address,
                                        .bytes = function->symbol->bytes,
                                        .base = search->symbols.base,
                                        .path = search->symbols.path};
    search->taken++;
    return search->take(search->context, &found, error);
}

static enum status read_level(struct search *search, size_t first, size_t end, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = first; status == STATUS_OK && i < end; i++) {
        const struct function function = search->functions[i];
        if (!function.file[0])
            continue;
        follow_function(search, function.symbol);
        status = hand_over(search, &function, error);
    }
    return status;
}

static enum status walk(struct search *search, const void *const *starts, size_t count, struct error *error)
{
    enum status status = host_symbols_open(starts[0], &search->symbols, error);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < count; i++)
        if ((uintptr_t)starts[i] > search->symbols.base)
            add_function(search, (uintptr_t)starts[i] - search->symbols.base);
    size_t first = 0;
    for (int level = 0; status == STATUS_OK && level < CALLS_DEEP && first < search->count; level++) {
        size_t end = search->count;
        status = find_files(search, first, error);
        if (status == STATUS_OK)
            status = read_level(search, first, end, error);
        first = end;
    }
    if (status == STATUS_OK && search->taken == 0)
        status = fail(error, STATUS_UNAVAILABLE, "the program has no line information, so its functions are not found");
    host_symbols_close(&search->symbols);
    return status;
}

enum status host_walk(const void *const *starts, size_t count, const char *folder, host_take *take, void *context,
                      struct error *error)
{
    struct search *search = calloc(1, sizeof *search);
    if (!search)
        return fail(error, STATUS_UNAVAILABLE, "no memory for the rung's functions");
    snprintf(search->folder, sizeof search->folder, "%s", folder);
    search->take = take;
    search->context = context;
    enum status status = walk(search, starts, count, error);
    free(search);
    return status;
}
