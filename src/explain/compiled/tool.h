/* Finds and runs a disassembler as a program of its own, inside the walls (walls/program.h). */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "base/status.h"

#define TOOL_PATH_MAX 512

/* Finds the program. When the user named one (`own`, not NULL or empty), only that counts. Otherwise the search covers:
 * beside this program, and nvrtc/ there or one folder up, where the set-up installs downloads; $CUDA_PATH/bin and
 * /usr/local/cuda/bin; $PATH. STATUS_UNAVAILABLE, with `advice` after the message. */
enum status tool_find(const char *name, const char *own, const char *advice, char path[TOOL_PATH_MAX],
                      struct error *error);

/* Runs it with the arguments (NULL-terminated, argv[0] included). An argument "@" becomes the path of a file with the
 * `bytes` bytes of `data`. The caller frees *output, which is terminated text; it is NULL on failure.
 * STATUS_UNAVAILABLE, with the end of the program's output, when its exit code is not 0. */
enum status tool_run(const char *path, const char *const *arguments, const void *data, size_t bytes, char **output,
                     struct error *error);

/* Inside the walls tool_run asks for it by this service (walls/service.h). */
#define TOOL_SERVICE "tool"
#define TOOL_REQUEST_MOST ((size_t)256 << 20)
void tool_serve(const char *data, size_t bytes, FILE *answer);
