/* Opening what the user wants read. */
#ifndef USKOR_FILES_INPUT_H
#define USKOR_FILES_INPUT_H

#include <stddef.h>

#include "base/status.h"

/* Opens the regular file `path` for reading and tells its size in bytes; the caller closes the descriptor. `kind`
 * (".npy", "PNG") is what was expected, for messages, which name the file. Folders, pipes and devices are refused:
 * readers map their files; nothing waits for a pipe's writer. */
enum status input_open(const char *path, const char *kind, int *descriptor, size_t *size, struct error *error);

#endif
