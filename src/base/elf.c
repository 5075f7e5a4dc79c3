#include "base/elf.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static bool fits(const struct elf_image *image, uint64_t offset, uint64_t bytes)
{
    return offset <= image->bytes && bytes <= image->bytes - offset;
}

bool elf_open(const void *data, size_t bytes, struct elf_image *image)
{
    *image = (struct elf_image){.data = data, .bytes = bytes};
    if (bytes < sizeof image->head)
        return false;
    memcpy(&image->head, data, sizeof image->head);
    return memcmp(image->head.e_ident, ELFMAG, SELFMAG) == 0 && image->head.e_ident[EI_CLASS] == ELFCLASS64;
}

bool elf_section(const struct elf_image *image, size_t index, Elf64_Shdr *section)
{
    if (index >= image->head.e_shnum || image->head.e_shentsize < sizeof *section || image->head.e_shoff > image->bytes)
        return false;
    uint64_t offset = image->head.e_shoff + (uint64_t)index * image->head.e_shentsize;
    if (!fits(image, offset, sizeof *section))
        return false;
    memcpy(section, image->data + offset, sizeof *section);
    return true;
}

struct elf_part elf_content(const struct elf_image *image, const Elf64_Shdr *section)
{
    if (section->sh_type == SHT_NOBITS || !fits(image, section->sh_offset, section->sh_size))
        return (struct elf_part){NULL, 0};
    return (struct elf_part){image->data + section->sh_offset, section->sh_size};
}

const char *elf_text(struct elf_part table, uint64_t offset)
{
    if (!table.data || offset >= table.bytes || !memchr(table.data + offset, 0, table.bytes - offset))
        return "";
    return (const char *)table.data + offset;
}

bool elf_symbols(const struct elf_image *image, bool dynamic, size_t *at, struct elf_part *symbols,
                 struct elf_part *names)
{
    Elf64_Shdr table, strings;
    while (*at < image->head.e_shnum)
        if (elf_section(image, (*at)++, &table) &&
            (table.sh_type == SHT_SYMTAB || (dynamic && table.sh_type == SHT_DYNSYM)) &&
            elf_section(image, table.sh_link, &strings)) {
            *symbols = elf_content(image, &table);
            *names = elf_content(image, &strings);
            return true;
        }
    return false;
}

bool elf_symbol(struct elf_part symbols, size_t index, Elf64_Sym *symbol)
{
    if (index >= symbols.bytes / sizeof *symbol)
        return false;
    memcpy(symbol, symbols.data + index * sizeof *symbol, sizeof *symbol);
    return true;
}

/* ---- functions --------------------------------------------------------------------------------------------------- */

/* A symbol's value counts from its section's address, which is 0 in objects that are not linked. */
static bool code_of(const struct elf_image *image, const Elf64_Sym *symbol, struct elf_function *function)
{
    Elf64_Shdr section;
    if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_size == 0 ||
        !elf_section(image, symbol->st_shndx, &section) || section.sh_type != SHT_PROGBITS ||
        symbol->st_value < section.sh_addr)
        return false;
    struct elf_part code = elf_content(image, &section);
    uint64_t offset = symbol->st_value - section.sh_addr;
    if (!code.data || offset > code.bytes || symbol->st_size > code.bytes - offset)
        return false;
    function->code = code.data + offset;
    function->bytes = symbol->st_size;
    return true;
}

static size_t find_in(const struct elf_image *image, bool (*is_wanted)(const char *name, const void *context),
                      const void *context, struct elf_function *found, size_t most)
{
    size_t count = 0, table = 0;
    struct elf_part symbols, names;
    while (count == 0 && elf_symbols(image, true, &table, &symbols, &names)) {
        Elf64_Sym symbol;
        for (size_t i = 0; count < most && elf_symbol(symbols, i, &symbol); i++) {
            struct elf_function *function = &found[count];
            snprintf(function->name, sizeof function->name, "%s", elf_text(names, symbol.st_name));
            count += code_of(image, &symbol, function) && *function->name && is_wanted(function->name, context);
        }
    }
    return count;
}

size_t elf_functions_find(const void *data, size_t bytes, bool (*is_wanted)(const char *name, const void *context),
                          const void *context, struct elf_function *found, size_t most)
{
    const unsigned char *start = data, *end = start + bytes;
    size_t count = 0;
    for (const unsigned char *at = start; count == 0 && at; at = at ? at + 1 : NULL) {
        struct elf_image image;
        at = memmem(at, (size_t)(end - at), ELFMAG, SELFMAG);
        if (at && elf_open(at, (size_t)(end - at), &image) && image.head.e_type >= ET_REL &&
            image.head.e_type <= ET_DYN)
            count = find_in(&image, is_wanted, context, found, most);
    }
    return count;
}
