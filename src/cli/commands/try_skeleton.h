/* uskor try --new. */
#pragma once

#include <stdbool.h>

#include "base/status.h"

/* Writes a skeleton of the kernel's rung to `path`, which ends in .cl, .cu or .c. A simple one has one size for all. */
enum status try_skeleton_write(const char *kernel, const char *path, bool is_simple, bool force, struct error *error);

/* The same, and says so; returns the exit code. */
int try_skeleton(const char *kernel, const char *path, bool is_simple, bool force);
