/* Facts that a trace reads from a kernel's source before compiling it: its kernel functions, and the names of their
 * parameters. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define KERNEL_NAME_MAX 64
#define KERNEL_PARAMETERS_MAX 24
#define KERNEL_ENTRIES_MAX 16

struct kernel_signature {
    char name[KERNEL_NAME_MAX];
    struct {
        char name[KERNEL_NAME_MAX];
        bool is_const; /* points to const data */
    } parameters[KERNEL_PARAMETERS_MAX];
    size_t parameter_count;
};

/* Finds the functions marked `__kernel` (OpenCL C) or `__global__` (CUDA C), skipping comments and preprocessor lines.
 * Returns their number, at most KERNEL_ENTRIES_MAX. */
size_t kernel_text_signatures(const char *text, struct kernel_signature signatures[KERNEL_ENTRIES_MAX]);

/* The next occurrence of the whole word in the code from `at` on; NULL if there is none. */
const char *kernel_text_word(const char *text, const char *at, const char *word);

/* Returns the line, from 1, where `word` occurs in the code; 0 when it does not. */
int kernel_text_find(const char *text, const char *word);
