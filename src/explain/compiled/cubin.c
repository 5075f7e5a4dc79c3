#include "explain/compiled/cubin.h"

#include <stdio.h>
#include <string.h>

#include "base/elf.h"

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

static bool find_section(const struct elf_image *file, const char *name, Elf64_Shdr *section)
{
    Elf64_Shdr names;
    if (!elf_section(file, file->head.e_shstrndx, &names))
        return false;
    struct elf_part table = elf_content(file, &names);
    for (size_t i = 0; i < file->head.e_shnum; i++)
        if (elf_section(file, i, section) && strcmp(elf_text(table, section->sh_name), name) == 0)
            return true;
    return false;
}

/* The function's index in the symbol table; .nv.info refers to functions by it. */
static bool find_symbol(const struct elf_image *file, const char *name, uint32_t *number)
{
    struct elf_part symbols, names;
    size_t table = 0;
    Elf64_Sym symbol;
    if (!elf_symbols(file, false, &table, &symbols, &names))
        return false;
    for (*number = 0; elf_symbol(symbols, *number, &symbol); ++*number)
        if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && strcmp(elf_text(names, symbol.st_name), name) == 0)
            return true;
    return false;
}

/* Takes the next attribute off `info`; false at the end. One without bytes of its own has none in `value`. */
static bool next_attribute(struct elf_part *info, int *kind, struct elf_part *value)
{
    if (info->bytes < 4)
        return false;
    *kind = info->data[1];
    *value =
        (struct elf_part){info->data + 4, info->data[0] == FORM_SIZED ? info->data[2] | (size_t)info->data[3] << 8 : 0};
    if (value->bytes > info->bytes - 4)
        return false;
    *info = (struct elf_part){value->data + value->bytes, info->bytes - 4 - value->bytes};
    return true;
}

static void read_attributes(struct elf_part info, uint32_t symbol, struct cubin_kernel *kernel)
{
    struct elf_part value;
    uint32_t words[2];
    for (int kind; next_attribute(&info, &kind, &value);) {
        if (value.bytes < sizeof words)
            continue;
        memcpy(words, value.data, sizeof words);
        if (words[0] == symbol && kind == KIND_REGISTERS)
            kernel->registers = (int)words[1];
        else if (words[0] == symbol && kind == KIND_FRAME_SIZE)
            kernel->stack_bytes = (int)words[1];
    }
}

/* The kernel's own attributes: the offset of its arguments and their size, 16 bits each. */
static int argument_offset(struct elf_part info)
{
    struct elf_part value;
    for (int kind; next_attribute(&info, &kind, &value);)
        if (kind == KIND_ARGUMENT_BANK && value.bytes >= 8)
            return value.data[4] | value.data[5] << 8;
    return 0;
}

enum status cubin_read(const void *image, size_t bytes, const char *name, struct cubin_kernel *kernel,
                       struct error *error)
{
    struct elf_image file;
    Elf64_Shdr section;
    uint32_t symbol;
    char section_name[128];
    *kernel = (struct cubin_kernel){.registers = 0};
    if (!elf_open(image, bytes, &file) || file.head.e_machine != EM_CUDA)
        return fail(error, STATUS_INVALID, "%s: the compiler's result is not a cubin", name);
    if (!find_symbol(&file, name, &symbol) || !find_section(&file, ".nv.info", &section))
        return fail(error, STATUS_INVALID, "%s: the compiler's result has no such kernel", name);
    read_attributes(elf_content(&file, &section), symbol, kernel);
    if (kernel->registers == 0)
        return fail(error, STATUS_INVALID, "%s: the compiler's result does not say how many registers it has", name);
    snprintf(section_name, sizeof section_name, ".nv.shared.%s", name);
    if (find_section(&file, section_name, &section) && section.sh_size <= INT32_MAX)
        kernel->shared_bytes = (int)section.sh_size;
    snprintf(section_name, sizeof section_name, ".nv.info.%s", name);
    if (find_section(&file, section_name, &section))
        kernel->argument_offset = argument_offset(elf_content(&file, &section));
    if (find_section(&file, ".nv.shared.reserved.0", &section) && kernel->shared_bytes >= SYSTEM_BYTES)
        kernel->shared_bytes -= SYSTEM_BYTES;
    return STATUS_OK;
}
