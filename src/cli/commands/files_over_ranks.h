/* The commands for people's own files, started by mpirun: each rank reads its part of the inputs, and writes its part
 * of the result, in the same files. */
#pragma once

#include "cli/commands/rank_parts.h"
#include "cli/options/file_options.h"

#define RANK_INPUTS_MAX 3

/* The problem that the inputs pose, and the result's layout. STATUS_INVALID when they pose none. `inputs` are open;
 * where a file is not simply the kernel's array of the same number, the function says so in them. */
typedef enum status files_problem(const void *context, struct rank_input *inputs, struct problem *problem,
                                  struct npy_layout *result, struct error *error);

struct files_task {
    const char *paths[RANK_INPUTS_MAX]; /* the first `count` */
    int count;
    files_problem *pose;
    const void *context;
    const char *refused; /* an option that is for one process; NULL: there is none */
    /* Instead of a result in a file: rank 0 prints it, when it is found right. */
    void (*print)(const struct problem *problem, struct host_arrays input);
};

/* The options of every command for files that are honoured over ranks, NULL-terminated. */
extern const char *const file_options_over_ranks[];

/* Solves it by the kernel's first method (distributed/ranks/method.h); the result is the kernel's last array. Rank 0
 * judges every element of the finished file, before it gets its name, and tells. Returns the exit code, the same on
 * every rank. */
int files_over_ranks(const struct file_options *options, const struct files_task *task);
