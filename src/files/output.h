/* A file that appears complete or not at all: it is written in its target's folder, without a name where the file
 * system can do that, and gets its name when it is done (files/temporary.h). It goes away when the work fails, is
 * abandoned, or the program is ended. Used by whatever writes a file for the user (.npy, PNG, reports). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

struct output;

/* Begins a file that will be called `path`. Nothing of that name exists yet, or `force` is set and it is a regular file
 * (through a symbolic link: the file it leads to; the link stays). A new file's mode honours the umask, a replaced
 * file's mode is kept. Replacing the very file that the result is computed from is safe as long as that is read
 * through an open descriptor or a mapping. Standard output ("-") and devices are refused: they cannot be renamed to.
 *
 * The first call makes every signal that would end the program, and that can be caught, remove unfinished files first,
 * unless the program handles (or ignores) it itself; and has SIGXFSZ ignored, so that a file-size limit is an error
 * message.
 *
 * On success *output is the caller's until output_finish or output_abandon. STATUS_INVALID: the target exists or cannot
 * be a file; STATUS_SYSTEM: the system refused. */
enum status output_create(const char *path, bool force, struct output **output, struct error *error);

/* The target as the user wrote it, for messages; and the open file, for reading and writing. */
const char *output_path(const struct output *output);
int output_descriptor(const struct output *output);

/* Where other processes can open the unfinished file, into `path` of `size` bytes. STATUS_SYSTEM when its file system
 * gives it no name. */
enum status output_share(struct output *output, char *path, size_t size, struct error *error);

/* Makes the file `bytes` long with its space on the disk taken, so that a full disk is known before the work. */
enum status output_reserve(struct output *output, size_t bytes, struct error *error);

/* Writes `bytes` bytes at the descriptor's position. */
enum status output_write(struct output *output, const void *data, size_t bytes, struct error *error);

/* Waits until the file is on its disk and gives it its name. On failure nothing is left. Frees `output` either way. */
enum status output_finish(struct output *output, struct error *error);

/* Removes the unfinished file and frees `output`; NULL is fine. */
void output_abandon(struct output *output);

/* Removes every unfinished file of this process. Async-signal-safe, for a handler of the program's own. */
void output_remove_unfinished(void);

/* Removes them, and ends the process by signal `number`, as the parent expects. Async-signal-safe: a handler. */
void output_end_by_signal(int number);
