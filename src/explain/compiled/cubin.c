#include "explain/compiled/cubin.h"

#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Attributes of .nv.info: a form, a kind, and 16 bits (a value, or the number of bytes that follow). cuobjdump's output
 * lists forms and kinds ("EIATTR_REGCOUNT"). */
enum {
    FORM_SIZED = 4,
    KIND_ARGUMENT_BANK = 0x0a,
    KIND_FRAME_SIZE = 0x11,
    KIND_REGISTERS = 0x2f,
};

/* From compute capability 9.0 on, the section's size includes 1 KiB of shared memory reserved for the system. */
#define SYSTEM_BYTES 1024

struct file {
    const unsigned char *data;
    size_t bytes;
    Elf64_Ehdr head;
};

struct part {
    const unsigned char *data;
    size_t bytes;
};

static bool fits(const struct file *file, uint64_t offset, uint64_t bytes)
{
    return offset <= file->bytes && bytes <= file->bytes - offset;
}

static bool section_at(const struct file *file, size_t index, Elf64_Shdr *section)
{
    if (index >= file->head.e_shnum || file->head.e_shentsize < sizeof *section)
        return false;
    uint64_t offset = file->head.e_shoff + (uint64_t)index * file->head.e_shentsize;
    if (file->head.e_shoff > file->bytes || !fits(file, offset, sizeof *section))
        return false;
    memcpy(section, file->data + offset, sizeof *section);
    return true;
}

static struct part content(const struct file *file, const Elf64_Shdr *section)
{
    if (section->sh_type == SHT_NOBITS || !fits(file, section->sh_offset, section->sh_size))
        return (struct part){NULL, 0};
    return (struct part){file->data + section->sh_offset, section->sh_size};
}

/* A string of a string table; "" if it is not terminated there. */
static const char *text_at(struct part table, uint64_t offset)
{
    if (!table.data || offset >= table.bytes || !memchr(table.data + offset, 0, table.bytes - offset))
        return "";
    return (const char *)table.data + offset;
}

static bool find_section(const struct file *file, const char *name, Elf64_Shdr *section, size_t *index)
{
    Elf64_Shdr names;
    if (!section_at(file, file->head.e_shstrndx, &names))
        return false;
    struct part table = content(file, &names);
    for (*index = 0; *index < file->head.e_shnum; (*index)++)
        if (section_at(file, *index, section) && strcmp(text_at(table, section->sh_name), name) == 0)
            return true;
    return false;
}

/* The function's index in the symbol table; .nv.info refers to functions by it. */
static bool find_symbol(const struct file *file, const char *name, uint32_t *number)
{
    Elf64_Shdr section, names;
    size_t index;
    if (!find_section(file, ".symtab", &section, &index) || !section_at(file, section.sh_link, &names))
        return false;
    struct part symbols = content(file, &section), table = content(file, &names);
    for (uint32_t i = 0; (i + 1) * sizeof(Elf64_Sym) <= symbols.bytes; i++) {
        Elf64_Sym symbol;
        memcpy(&symbol, symbols.data + i * sizeof symbol, sizeof symbol);
        if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && strcmp(text_at(table, symbol.st_name), name) == 0) {
            *number = i;
            return true;
        }
    }
    return false;
}

static void take_attribute(int kind, struct part value, uint32_t symbol, struct cubin_kernel *kernel)
{
    uint32_t words[2];
    if (value.bytes < sizeof words)
        return;
    memcpy(words, value.data, sizeof words);
    if (words[0] != symbol)
        return;
    if (kind == KIND_REGISTERS)
        kernel->registers = (int)words[1];
    else if (kind == KIND_FRAME_SIZE)
        kernel->stack_bytes = (int)words[1];
}

static void read_attributes(struct part info, uint32_t symbol, struct cubin_kernel *kernel)
{
    size_t at = 0;
    while (at + 4 <= info.bytes) {
        int form = info.data[at], kind = info.data[at + 1];
        size_t bytes = form == FORM_SIZED ? info.data[at + 2] | (size_t)info.data[at + 3] << 8 : 0;
        at += 4;
        if (bytes > info.bytes - at)
            return;
        take_attribute(kind, (struct part){info.data + at, bytes}, symbol, kernel);
        at += bytes;
    }
}

/* The kernel's own attributes: the offset of its arguments and their size, 16 bits each. */
static int argument_offset(struct part info)
{
    size_t at = 0;
    while (at + 4 <= info.bytes) {
        int form = info.data[at], kind = info.data[at + 1];
        size_t bytes = form == FORM_SIZED ? info.data[at + 2] | (size_t)info.data[at + 3] << 8 : 0;
        at += 4;
        if (bytes > info.bytes - at)
            return 0;
        if (form == FORM_SIZED && kind == KIND_ARGUMENT_BANK && bytes >= 8)
            return info.data[at + 4] | info.data[at + 5] << 8;
        at += bytes;
    }
    return 0;
}

static bool is_cubin(const struct file *file)
{
    const unsigned char *ident = file->head.e_ident;
    return memcmp(ident, ELFMAG, SELFMAG) == 0 && ident[EI_CLASS] == ELFCLASS64 && file->head.e_machine == EM_CUDA;
}

enum status cubin_read(const void *image, size_t bytes, const char *name, struct cubin_kernel *kernel,
                       struct error *error)
{
    struct file file = {.data = image, .bytes = bytes};
    Elf64_Shdr section;
    size_t index;
    uint32_t symbol;
    char section_name[128];
    *kernel = (struct cubin_kernel){.registers = 0};
    if (bytes >= sizeof file.head)
        memcpy(&file.head, image, sizeof file.head);
    if (bytes < sizeof file.head || !is_cubin(&file))
        return fail(error, STATUS_INVALID, "%s: the compiler's result is not a cubin", name);
    if (!find_symbol(&file, name, &symbol) || !find_section(&file, ".nv.info", &section, &index))
        return fail(error, STATUS_INVALID, "%s: the compiler's result has no such kernel", name);
    read_attributes(content(&file, &section), symbol, kernel);
    if (kernel->registers == 0)
        return fail(error, STATUS_INVALID, "%s: the compiler's result does not say how many registers it has", name);
    snprintf(section_name, sizeof section_name, ".nv.shared.%s", name);
    if (find_section(&file, section_name, &section, &index) && section.sh_size <= INT32_MAX)
        kernel->shared_bytes = (int)section.sh_size;
    snprintf(section_name, sizeof section_name, ".nv.info.%s", name);
    if (find_section(&file, section_name, &section, &index))
        kernel->argument_offset = argument_offset(content(&file, &section));
    if (find_section(&file, ".nv.shared.reserved.0", &section, &index) && kernel->shared_bytes >= SYSTEM_BYTES)
        kernel->shared_bytes -= SYSTEM_BYTES;
    return STATUS_OK;
}
