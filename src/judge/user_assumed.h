/* The header of a file without one: arguments by name or position, and the shape of the launch. */
#pragma once

#include "base/status.h"
#include "kernels/plain.h"

/* The user's other options; NULL where one was not given. */
struct user_rung_options {
    const char *entry, *arguments, *group, *groups;
};

struct user_source {
    const struct plain_signature *signature;
    const char *kernel_name; /* "matmul" */
    const char *path;        /* of the file */
    bool is_cuda;
    const char *whole;    /* the file with its host code, which may launch the kernel */
    const char *left_out; /* of the host code, for people; "" */
    const char *requires; /* of a short header: conditions and reasons, a line each; NULL: the file has none */
};

/* Puts a header in front of *text, which is malloc'ed, from the options, from the launch in the file, or from the
 * kernel's usual form; `assumed` says so for people. STATUS_INVALID: no kernel, several, or a parameter without a
 * meaning. */
enum status user_header_assume(const struct user_source *source, const struct user_rung_options *options, char **text,
                               char assumed[1024], struct error *error);
