/* The files that a user's file includes. A device's compiler sees one text, so they are put into it. */
#pragma once

#include <stddef.h>

#include "base/status.h"

#define USER_INCLUDES_MOST 64
#define USER_INCLUDE_PATH 512

struct user_includes {
    char paths[USER_INCLUDES_MOST][USER_INCLUDE_PATH];
    size_t count;
};

/* The files that the file at `path` includes by #include "x", and they in turn, if they lie in its folder or below.
 * STATUS_INVALID: one includes a pipe, a device or a file of the system's, whose reading may never end. */
enum status user_includes_find(const char *path, struct user_includes *includes, struct error *error);

/* The same without the list: before a compiler reads the file. */
enum status user_includes_check(const char *path, struct error *error);

/* Replaces each line #include "x" of *text, which is malloc'ed, by the file x if it lies in the folder of `path` or
 * below. Lines keep their numbers and get the included file's name. Others stay, for the compiler to find.
 * STATUS_INVALID: files include each other without end, or all together are too large. */
enum status user_includes_put(char **text, const char *path, struct error *error);
