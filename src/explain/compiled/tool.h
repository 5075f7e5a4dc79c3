/* A disassembler as a program of its own: found by path, given bytes, its words read. */
#ifndef USKOR_EXPLAIN_COMPILED_TOOL_H
#define USKOR_EXPLAIN_COMPILED_TOOL_H

#include <stddef.h>

#include "base/status.h"

#define TOOL_PATH_MAX 512

/* Where the program is: at `own`, which the user named, and nowhere else (NULL or empty: nobody did); beside
 * this program, and in nvrtc/ there or one folder up, where the set-up puts what it fetches; in $CUDA_PATH/bin and
 * /usr/local/cuda/bin; in $PATH. STATUS_UNAVAILABLE with `advice` behind the message. */
enum status tool_find(const char *name, const char *own, const char *advice, char path[TOOL_PATH_MAX],
                      struct error *error);

/* Runs it with the arguments (NULL-terminated, argv[0] included). One that is "@" becomes the path of a file that holds
 * `bytes` of `data`; "@@" the same behind an @, as binutils read arguments from a file. *output is malloc'ed text,
 * which the caller frees; NULL on failure: STATUS_UNAVAILABLE with the end of what the program said when it did not end
 * with 0. */
enum status tool_run(const char *path, const char *const *arguments, const void *data, size_t bytes, char **output,
                     struct error *error);

#endif
