/* The text of a textbook kernel: its kernel function, and the meaning of each parameter. */
#pragma once

#include "base/language.h"
#include "kernels/plain.h"

#define USER_PARAMETERS_MOST 16

struct user_parameter {
    char type[64]; /* without const and *: "float" */
    char name[64];
    bool is_pointer, is_read_only; /* a pointer to const */
    bool is_local;                 /* a pointer to local memory */
    bool is_of_rows;               /* an array of pointers: "float **a" */
};

struct user_kernel {
    char name[64];
    size_t at, marker; /* offsets in the text: of the name, and of __kernel or __global__ before it */
    struct user_parameter parameters[USER_PARAMETERS_MOST];
    size_t count;
    int rank; /* of the index space that its code uses: 1 … 3; 0: not known */
};

/* Reads the parameters between an opening parenthesis and its closing one. False: there are too many, or one is not
 * understood. */
bool user_kernel_parameters(const char *code, size_t open, struct user_kernel *kernel);

/* Finds the kernel function `wanted` (NULL: the one called `usual`, or the only one). STATUS_INVALID lists those in the
 * text. */
enum status user_kernel_find(const char *text, bool is_cuda, const char *wanted, const char *usual,
                             struct user_kernel *kernel, struct error *error);
