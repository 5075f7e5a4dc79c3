/* A rung in a user's own file: OpenCL C (.cl), CUDA C (.cu) or C (.c).
 *
 * The parent reads the file once (user_rung_read), and adds the rung to the ladder. It writes the source for the
 * device, or the compiled module, to memory that its children are given. The file's code runs only in children; each
 * makes the rung from its arguments (user_rung_arguments, user_rung_take). A file without a header gets its arguments
 * by name or position (user_kernel.h). */
#pragma once

#include "judge/user_assumed.h"
#include "kernels/kernel.h"
#include "kernels/rung_header.h"

#define USER_PATH_MAX SOURCE_PATH_MAX

struct user_rung {
    char path[USER_PATH_MAX]; /* as given by the user; its name is a copy to be shown (base/visible.h) */
    char hash[65];            /* SHA-256 of its content */
    enum element_type type;
    char assumed[1024]; /* assumptions about what the file does not state, for people; "" when there are none */
    char compiler[256]; /* of a C file: the command; "" for others */
    const struct rung *rung;
};

/* Reads `path` for a kernel's problems of `type`, and adds its rung, named like the file, to the kernel's ladder; once
 * per process. STATUS_INVALID when the file is not a rung or, in C, does not compile: the message quotes the compiler
 * with the user's line numbers. */
enum status user_rung_read(const struct kernel *kernel, const char *path, enum element_type type,
                           const struct user_rung_options *options, struct user_rung *made, struct error *error);

/* Of a C file that was read: puts its module into the folder, for a process inside the walls. */
enum status user_rung_lay_out(const char *folder, struct error *error);

/* Inside the walls only: opens the module, whose constructors run, and finds its function. NULL in *code for files that
 * are not in C. */
enum status user_rung_code(const void **code, struct error *error);

/* For child_start: the arguments from which a child makes the same rung; NULL where none was read. */
const char *const *user_rung_arguments(void);

/* … the folder in which a device's driver compiles it, removed when the process ends … */
const char *user_rung_folder(void);

/* … and the open file that the child is given. */
int user_rung_descriptor(void);

/* The user's rung's name; "" where there is none. */
const char *user_rung_name(void);

/* Whether it is a C file, whose code is loaded into the process that runs it. */
bool user_rung_is_module(void);

/* In a child: makes the rung that its arguments name; does nothing without such arguments. */
enum status user_rung_take(int argc, char **argv, struct error *error);
