/* Opens an input file, and detects at the end whether it was changed in the meantime. */
#pragma once

#include <stddef.h>
#include <sys/stat.h>

#include "base/status.h"

/* An open file as it was found. */
struct input {
    int descriptor;
    size_t size;       /* bytes */
    struct stat found; /* when it was opened */
};

/* Opens the regular file `path` for reading; input_close it. `kind` (".npy", "PNG") is what was expected, for messages,
 * which name the file. Folders, pipes and devices are refused (nothing waits for a pipe's writer), as are links that
 * somebody else has put into a shared folder. */
enum status input_open(const char *path, const char *kind, struct input *input, struct error *error);
void input_close(struct input *input);

/* STATUS_SYSTEM when the file has been changed since it was opened: it has another size or time of change (the system
 * notes one beside that which an owner may set), or `path` leads to another file now. Results made from it are then
 * void. A file that was only removed is unchanged. */
enum status input_check(const struct input *input, const char *path, struct error *error);
