/* uskor try --new. */
#ifndef USKOR_CLI_COMMANDS_TRY_SKELETON_H
#define USKOR_CLI_COMMANDS_TRY_SKELETON_H

#include <stdbool.h>

/* Writes a skeleton of the kernel's rung to `path`, which ends in .cl or .c; returns the exit code. */
int try_skeleton(const char *kernel, const char *path, bool force);

#endif
