/* This program, started once more with other arguments: for what runs a user's code and is to end whatever that does.
 */
#ifndef USKOR_CLI_COMMANDS_OWN_PROCESS_H
#define USKOR_CLI_COMMANDS_OWN_PROCESS_H

#include <stddef.h>
#include <stdint.h>

/* Where the process was ended, by a signal, by its limit or by Ctrl-C. */
enum { OWN_PROCESS_KILLED = -1, OWN_PROCESS_LATE = -2, OWN_PROCESS_NONE = -3 };

struct own_process {
    const char *const *arguments; /* without the program's name, NULL at the end */
    const char *output, *errors;  /* files for what it says; NULL: nowhere */
    int64_t limit_ns;
};

/* Runs it in a process group of its own, which is ended with it. Returns its exit code or one of the above;
 * OWN_PROCESS_NONE: it could not be started (errno). */
int own_process_run(const struct own_process *process);

#endif
