/* Finds and runs compilers, disassemblers and readers of debug information as programs of their own, inside the walls
 * (walls/program.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

#define TOOL_PATH_MAX 512
#define TOOL_ARGUMENTS_MOST 48

/* Finds the program. When the user named one (`own`, not NULL or empty), only that counts. Otherwise the search covers:
 * beside this program, and nvrtc/ there or one folder up, where the set-up installs downloads; $CUDA_PATH/bin and
 * /usr/local/cuda/bin; $PATH. STATUS_UNAVAILABLE, with `advice` after the message. */
enum status tool_find(const char *name, const char *own, const char *advice, char path[TOOL_PATH_MAX],
                      struct error *error);

/* Along $PATH alone. */
bool tool_in_path(const char *name, char path[TOOL_PATH_MAX]);

/* One run of a tool: its arguments (NULL-terminated, the program included; it is looked for along PATH), the folder in
 * which it may write (NULL: none), and its standard input (NULL: none), whose name an argument "@" becomes. */
struct tool_call {
    const char *const *arguments;
    const char *folder;
    const void *data;
    size_t bytes;
};

/* Runs it. The caller frees *output, terminated: what it wrote, errors too; NULL when memory is out. Returns its exit
 * code; 127 when it does not exist. */
int tool_run(const struct tool_call *call, char **output);

/* The same. STATUS_UNAVAILABLE, with the end of the output, when the exit code is not 0; *output is NULL then. */
enum status tool_read(const struct tool_call *call, char **output, struct error *error);

/* Inside the walls tool_run and tool_find ask for it by this service (walls/service.h, explain/tool_service.h): the
 * tool's name, its folder, its arguments, "", the data, with a 0 behind each but the last; or its name alone, whether
 * it is there. The answer is the exit code, a space, and the output. */
#define TOOL_SERVICE "tool"

/* Runs it outside the walls' process, for another one: its `readable` folder (NULL: none) is a stranger's. */
int tool_run_for(const struct tool_call *call, const char *readable, char **output);
