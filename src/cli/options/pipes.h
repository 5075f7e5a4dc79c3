/* "-" and pipes as inputs and results of the commands that need files: they are files in a temporary folder meanwhile.
 */
#pragma once

#include <stdbool.h>

#include "base/temporary_folder.h"

#define PIPES_MAX 3

/* A zeroed one has none. */
struct pipes {
    struct temporary_folder folder;
    char paths[PIPES_MAX][192];
    int count;
    bool has_input;     /* standard input was read */
    const char *output; /* the file that standard output gets at the end; NULL: none */
};

/* Where `*path` is "-" or a pipe, reads all of it into a file whose name ends in `end`, and makes `*path` its name.
 * `end` NULL: the command does not take them. */
enum status pipes_input(struct pipes *pipes, const char **path, const char *end, struct error *error);

/* Where `*path` is "-": a file that pipes_close copies to standard output. */
enum status pipes_output(struct pipes *pipes, const char **path, const char *end, struct error *error);

/* Writes the result, if the work's `status` is STATUS_OK, and removes all files. Returns `status`, or that of writing.
 */
enum status pipes_close(struct pipes *pipes, enum status status, struct error *error);
