#include "base/elf_functions.h"

#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct image {
    const unsigned char *data;
    size_t bytes;
    Elf64_Ehdr head;
};

static bool fits(const struct image *image, uint64_t offset, uint64_t bytes)
{
    return offset <= image->bytes && bytes <= image->bytes - offset;
}

static bool section_at(const struct image *image, size_t index, Elf64_Shdr *section)
{
    if (index >= image->head.e_shnum || image->head.e_shentsize < sizeof *section || image->head.e_shoff > image->bytes)
        return false;
    uint64_t offset = image->head.e_shoff + (uint64_t)index * image->head.e_shentsize;
    if (!fits(image, offset, sizeof *section))
        return false;
    memcpy(section, image->data + offset, sizeof *section);
    return section->sh_type == SHT_NOBITS || fits(image, section->sh_offset, section->sh_size);
}

static bool name_of(const struct image *image, const Elf64_Shdr *names, uint32_t offset, char name[ELF_NAME_MAX])
{
    if (names->sh_type != SHT_STRTAB || offset >= names->sh_size)
        return false;
    const char *text = (const char *)image->data + names->sh_offset + offset;
    if (!memchr(text, 0, names->sh_size - offset))
        return false;
    snprintf(name, ELF_NAME_MAX, "%s", text);
    return true;
}

/* A symbol's value counts from its section's address, which is 0 in objects that are not linked. */
static bool code_of(const struct image *image, const Elf64_Sym *symbol, struct elf_function *function)
{
    Elf64_Shdr section;
    if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_size == 0 ||
        !section_at(image, symbol->st_shndx, &section) || section.sh_type != SHT_PROGBITS ||
        symbol->st_value < section.sh_addr)
        return false;
    uint64_t offset = symbol->st_value - section.sh_addr;
    if (offset > section.sh_size || symbol->st_size > section.sh_size - offset)
        return false;
    function->code = image->data + section.sh_offset + offset;
    function->bytes = symbol->st_size;
    return true;
}

static bool open_image(const unsigned char *data, size_t bytes, struct image *image)
{
    *image = (struct image){.data = data, .bytes = bytes};
    if (bytes < sizeof image->head)
        return false;
    memcpy(&image->head, data, sizeof image->head);
    return memcmp(image->head.e_ident, ELFMAG, SELFMAG) == 0 && image->head.e_ident[EI_CLASS] == ELFCLASS64 &&
           (image->head.e_type == ET_REL || image->head.e_type == ET_DYN || image->head.e_type == ET_EXEC);
}

static size_t find_in(const struct image *image, bool (*is_wanted)(const char *name, const void *context),
                      const void *context, struct elf_function *found, size_t most)
{
    size_t count = 0;
    Elf64_Shdr table, names;
    for (size_t s = 0; s < image->head.e_shnum && count == 0; s++) {
        if (!section_at(image, s, &table) || (table.sh_type != SHT_SYMTAB && table.sh_type != SHT_DYNSYM) ||
            !section_at(image, table.sh_link, &names))
            continue;
        for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size && count < most; at += sizeof(Elf64_Sym)) {
            Elf64_Sym symbol;
            memcpy(&symbol, image->data + table.sh_offset + at, sizeof symbol);
            struct elf_function *function = &found[count];
            if (code_of(image, &symbol, function) && name_of(image, &names, symbol.st_name, function->name) &&
                is_wanted(function->name, context))
                count++;
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
        struct image image;
        at = memmem(at, (size_t)(end - at), ELFMAG, SELFMAG);
        if (at && open_image(at, (size_t)(end - at), &image))
            count = find_in(&image, is_wanted, context, found, most);
    }
    return count;
}
