/* The comment block at the top of a user's file. */
#pragma once

#include <stdbool.h>

#include "kernels/kernel.h"

/* Whether the block has lines of a rung's header. */
bool user_header_exists(const char *text);

/* Whether these lines lack a device rung's launch: args, entry, group, groups and require alone complete the
 * assumptions that are made for a file without a header. */
bool user_header_is_short(const char *text);

/* The rung's name in the block; false where it has none. */
bool user_header_name(const char *text, char name[RUNG_NAME_MAX]);

/* Adds the lines `rung` and `idea` to a block that lacks them, and to one without `rung` those of `lines` whose key it
 * lacks, too; the file's own line numbers stay. Replaces *text, which is malloc'ed; false when memory is out. */
bool user_header_complete(char **text, const char *lines, const char *path);
