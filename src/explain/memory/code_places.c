#include "explain/memory/code_places.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/elf.h"
#include "explain/memory/compiler.h"
#include "explain/memory/traced_text.h"

enum { PATH_BYTES = 512 };

/* ---- lines ------------------------------------------------------------------------------------------------------ */

/* A return address is just after the call: the byte before it belongs to the access. */
static bool write_addresses(const char *path, const unsigned *codes, size_t count)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    for (size_t i = 0; i < count; i++)
        fprintf(file, "0x%x\n", (codes[i] >> EVENT_FLAG_BITS) - 1);
    return fclose(file) == 0;
}

/* addr2line -a -i prints a line "0x…" for each address, then one "FILE:LINE" for each function that it was inlined
 * into, innermost first. */
static void read_lines(const char *text, size_t count, int *lines)
{
    size_t address = 0;
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
        const char *end = line + strcspn(line, "\n");
        if (strncmp(line, "0x", 2) == 0) {
            address++;
        } else if (address > 0 && address <= count && lines[address - 1] == 0) {
            const char *file = memmem(line, (size_t)(end - line), TRACED_FILE ":", strlen(TRACED_FILE ":"));
            if (file)
                lines[address - 1] = atoi(file + strlen(TRACED_FILE ":"));
        }
        if (*end == '\0')
            break;
    }
}

enum status code_lines(const struct traced_program *program, const unsigned *codes, size_t count, int *lines,
                       struct error *error)
{
    char library[PATH_BYTES], input[PATH_BYTES], output[PATH_BYTES];
    snprintf(library, sizeof library, "%s/kernel.so", program->folder.path);
    snprintf(input, sizeof input, "%s/addresses.txt", program->folder.path);
    snprintf(output, sizeof output, "%s/lines.txt", program->folder.path);
    memset(lines, 0, count * sizeof *lines);
    if (!write_addresses(input, codes, count))
        return fail(error, STATUS_SYSTEM, "%s: %s cannot be written: %s", program->name, input, strerror(errno));
    static const char *const tools[] = {"addr2line", "llvm-addr2line", "llvm-addr2line-14"};
    for (size_t i = 0; i < sizeof tools / sizeof tools[0]; i++) {
        const char *const arguments[] = {tools[i], "-a", "-i", "-e", library, NULL};
        if (compiler_run_tool(arguments, input, output) != 0)
            continue;
        char *text = compiler_read_file(output, NULL);
        if (text)
            read_lines(text, count, lines);
        free(text);
        return STATUS_OK;
    }
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
    struct stat about;
    snprintf(name, KERNEL_NAME_MAX, "shared memory");
    snprintf(path, sizeof path, "%s/kernel.so", program->folder.path);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    if (fstat(descriptor, &about) == 0) {
        void *file = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
        if (file != MAP_FAILED) {
            find_symbol(file, (size_t)about.st_size, program->link->local - program->load_address + offset, name);
            munmap(file, (size_t)about.st_size);
        }
    }
    close(descriptor);
}
