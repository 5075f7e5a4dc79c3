/* The functions of 64-bit ELF images, found by their symbols. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

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
