/* 64-bit ELF images in memory: sections, symbols, functions. Nothing beyond the image is read, whatever it claims. */
#pragma once

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>

struct elf_image {
    const unsigned char *data;
    size_t bytes;
    Elf64_Ehdr head;
};

struct elf_part {
    const unsigned char *data; /* NULL: none */
    size_t bytes;
};

/* False where the bytes do not begin as a 64-bit image does. */
bool elf_open(const void *data, size_t bytes, struct elf_image *image);

bool elf_section(const struct elf_image *image, size_t index, Elf64_Shdr *section);
struct elf_part elf_content(const struct elf_image *image, const Elf64_Shdr *section);

/* A string of a string table; "" where it does not end there. */
const char *elf_text(struct elf_part table, uint64_t offset);

/* The next table of symbols (also of dynamic ones, if asked for) from section *at on, and its names. *at is then the
 * section behind it. False: none. */
bool elf_symbols(const struct elf_image *image, bool dynamic, size_t *at, struct elf_part *symbols,
                 struct elf_part *names);
/* The table's symbol number `index`; false behind the last one. */
bool elf_symbol(struct elf_part symbols, size_t index, Elf64_Sym *symbol);

#define ELF_NAME_MAX 128

struct elf_function {
    char name[ELF_NAME_MAX]; /* cut to fit */
    const void *code;        /* in the image */
    size_t bytes;
};

/* Finds up to `most` functions that `is_wanted` accepts, in the order of the symbols. `data` is an image, or anything
 * that has whole images in it, such as a container of a compiler's; the first image with a wanted function counts. An
 * image that is cut off or damaged has no functions. Returns their number; they point into `data`. */
size_t elf_functions_find(const void *data, size_t bytes, bool (*is_wanted)(const char *name, const void *context),
                          const void *context, struct elf_function *found, size_t most);
