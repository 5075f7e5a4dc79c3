/* Problems of which each differs from the one before in one field alone: a rung that keeps what it made for an earlier
 * problem, and forgets that the field decides about it, is wrong in the second. */
#pragma once

#include "kernels/kernel.h"

/* The most problems of one type. */
#define CHECK_CHANGES_MOST (2 * PROBLEM_FIELDS_MAX + 1)

/* Makes the problems of that type in `list`, which has room for CHECK_CHANGES_MOST: a small one, the same with its
 * first field changed, the small one again, and so on. Returns their number; a change that the kernel does not accept
 * is left out. */
size_t check_changes(const struct kernel *kernel, enum element_type type, struct problem *list);
