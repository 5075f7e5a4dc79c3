/* A rung in a user's own file: OpenCL C (.cl), CUDA C (.cu) or C (.c).
 *
 * The parent reads the file once (user_rung_read), writes what a device compiles, or the compiled module, to memory
 * that its children can open, and adds the rung to the ladder. The file's code runs in children alone: each gets the
 * rung by its arguments (user_rung_arguments, user_rung_take). A file without a header gets its arguments by name or
 * position (user_kernel.h). */
#ifndef USKOR_JUDGE_USER_RUNG_H
#define USKOR_JUDGE_USER_RUNG_H

#include "kernels/kernel.h"

/* The user's options besides the file; NULL where an option was not given. */
struct user_rung_options {
    const char *entry, *arguments, *group, *groups;
};

struct user_rung {
    char path[512]; /* as the user named it */
    char hash[65];  /* SHA-256 of its content */
    enum element_type type;
    char assumed[1024]; /* what was not said and was assumed, for people; "" when nothing */
    char compiler[256]; /* of a C file: the command; "" for others */
    const struct rung *rung;
};

/* Reads `path` for a kernel's problems of `type` and adds its rung, named like the file, to the kernel's ladder; once
 * in a process. STATUS_INVALID when the file is not a rung or, in C, does not compile: the message has the compiler's
 * words, with the user's own lines. */
enum status user_rung_read(const struct kernel *kernel, const char *path, enum element_type type,
                           const struct user_rung_options *options, struct user_rung *made, struct error *error);

/* Of a C file that was read: its function, in its module, which is opened in this process (and its constructors run).
 * NULL in *code for other files. */
enum status user_rung_code(const void **code, struct error *error);

/* For child_start: how a child makes the same rung; NULL where none was read. */
const char *const *user_rung_arguments(void);

/* In a child: makes the rung that its arguments name; nothing when there are none. */
enum status user_rung_take(int argc, char **argv, struct error *error);

#endif
