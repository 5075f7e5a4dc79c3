/* This program, started once more with other arguments: for what runs a user's code and is to end whatever that does.
 */
#pragma once

#include <stdint.h>
#include <sys/types.h>

/* Where the process was ended, by a signal, by its limit or by Ctrl-C. */
enum { OWN_PROCESS_KILLED = -1, OWN_PROCESS_LATE = -2, OWN_PROCESS_NONE = -3 };

struct own_process {
    const char *const *arguments; /* without the program's name, NULL at the end */
    const char *output, *errors;  /* files for what it says; NULL: nowhere */
    int64_t limit_ns;
    pid_t child; /* set by own_process_start; 0: none */
    int64_t begun;
};

/* Runs it in a process group of its own, which is ended with it. Returns its exit code or one of the above;
 * OWN_PROCESS_NONE: it could not be started (errno). */
int own_process_run(struct own_process *process);

/* The same in two steps. A process that was started is ended with own_process_wait, whose limit counts from the start,
 * or with own_process_stop, which does nothing where there is none. */
int own_process_start(struct own_process *process); /* 0 or OWN_PROCESS_NONE */
int own_process_wait(struct own_process *process);
void own_process_stop(struct own_process *process);
