#include "explain/memory/code_places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elf.h"
#include "explain/compiled/source_lines.h"
#include "explain/memory/compiler.h"
#include "explain/memory/traced_text.h"

enum { PATH_BYTES = 512 };

/* The innermost line in the source. */
static void take_line(void *context, size_t number, const char *line, size_t length)
{
    int *lines = context;
    const char *file = lines[number] == 0 ? memmem(line, length, TRACED_FILE ":", strlen(TRACED_FILE ":")) : NULL;
    if (file)
        lines[number] = atoi(file + strlen(TRACED_FILE ":"));
}

/* A return address is just after the call: the byte before it belongs to the access. */
enum status code_lines(const struct traced_program *program, const unsigned *codes, size_t count, int *lines,
                       struct error *error)
{
    char library[PATH_BYTES];
    uint64_t *addresses = calloc(count + 1, sizeof *addresses);
    if (!addresses)
        return fail(error, STATUS_UNAVAILABLE, "no memory for the trace");
    for (size_t i = 0; i < count; i++)
        addresses[i] = (codes[i] >> EVENT_FLAG_BITS) - 1;
    snprintf(library, sizeof library, "%s/kernel.so", program->folder.path);
    memset(lines, 0, count * sizeof *lines);
    enum status status = source_lines(library, addresses, count, take_line, lines, error);
    free(addresses);
    if (status == STATUS_OK)
        return STATUS_OK;
    return fail(error, STATUS_UNAVAILABLE,
                "%s: a trace of its accesses needs addr2line (of binutils), which is not installed", program->name);
}

/* ---- arrays ----------------------------------------------------------------------------------------------------- */

/* "_ZZ9transposeE4tile" and "_ZZ4sortE4keys_0" end in a length and a name. */
static void name_of_symbol(const char *symbol, char name[KERNEL_NAME_MAX])
{
    snprintf(name, KERNEL_NAME_MAX, "%s", symbol);
    if (strncmp(symbol, "_ZZ", 3) != 0)
        return;
    for (const char *at = strchr(symbol, 'E'); at; at = strchr(at + 1, 'E')) {
        char *text;
        long length = strtol(at + 1, &text, 10);
        size_t left = strlen(text);
        bool fits = text != at + 1 && length > 0 && left >= (size_t)length;
        if (fits && (left == (size_t)length || text[length] == '_')) {
            snprintf(name, KERNEL_NAME_MAX, "%.*s", (int)length, text);
            return;
        }
    }
}

/* `at`: the address in the file. */
static void find_symbol(const void *file, size_t bytes, uint64_t at, char name[KERNEL_NAME_MAX])
{
    struct elf_image image;
    struct elf_part symbols, names;
    size_t table = 0;
    Elf64_Sym symbol;
    if (!elf_open(file, bytes, &image) || !elf_symbols(&image, false, &table, &symbols, &names))
        return;
    for (size_t i = 0; elf_symbol(symbols, i, &symbol); i++)
        if (ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT && at >= symbol.st_value &&
            at < symbol.st_value + symbol.st_size)
            name_of_symbol(elf_text(names, symbol.st_name), name);
}

void code_local_array(const struct traced_program *program, uint64_t offset, char name[KERNEL_NAME_MAX])
{
    char path[PATH_BYTES];
    size_t bytes;
    snprintf(name, KERNEL_NAME_MAX, "shared memory");
    snprintf(path, sizeof path, "%s/kernel.so", program->folder.path);
    char *file = compiler_read_file(path, &bytes);
    if (file)
        find_symbol(file, bytes, program->link->local - program->load_address + offset, name);
    free(file);
}
