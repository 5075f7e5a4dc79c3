/* The commands for people's own files, started by mpirun: each rank reads its part of the inputs, and writes its part
 * of the result, in the same files. */
#ifndef USKOR_CLI_COMMANDS_FILES_OVER_RANKS_H
#define USKOR_CLI_COMMANDS_FILES_OVER_RANKS_H

#include "cli/options/file_options.h"
#include "files/npy.h"
#include "kernels/kernel.h"

/* The problem that the inputs pose, and the result's layout. STATUS_INVALID when they pose none. */
typedef enum status files_problem(const struct npy_array *inputs, struct problem *problem, struct npy_layout *result,
                                  struct error *error);

/* Solves it by the kernel's first method (distributed/ranks/method.h), the inputs being the kernel's first arrays and
 * the result its last. Rank 0 judges every element of the finished file, before it gets its name, and tells. Returns
 * the exit code, the same on every rank. */
int files_over_ranks(const struct file_options *options, files_problem *pose);

#endif
