/* The launch of a kernel in the host's code of the same file: k<float, 32><<<grid, block, bytes>>>(d_in, d_out, n). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Offsets in the text; a length of 0: not there. */
struct user_launch_text {
    size_t templates, templates_length; /* between the angles */
    size_t parts[3], part_lengths[3];   /* grid, block, bytes of shared memory */
    size_t arguments;                   /* the parenthesis of its arguments */
    size_t at;
};

/* The kernel's first launch. `code` is without comments (user_code.h). */
bool user_launch_find(const char *code, const char *kernel, struct user_launch_text *launch);

/* The only kernel that the file launches, into name; false where it launches several or none. */
bool user_launch_only(const char *code, char name[64]);

/* As a header has them; "" where the launch does not say it in a way that is understood. */
struct user_launch {
    size_t line;
    char group[256], groups[512], local[256];
};

/* Reads the kernel's first launch. `arguments` is the header's list of arguments: it says which of the problem's fields
 * a variable of the host is. line = 0: there is no launch. */
void user_launch_read(const char *text, const char *kernel, const char *arguments, struct user_launch *launch);
