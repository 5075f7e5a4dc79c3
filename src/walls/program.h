/* A compiler or disassembler, started inside the walls. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROGRAM_SAID 65536

/* What it ended with, other than its exit code. */
enum {
    PROGRAM_NONE = -1,      /* there is no such program */
    PROGRAM_KILLED = 128,   /* by a signal */
    PROGRAM_LATE = 129,     /* it came to no end in time */
    PROGRAM_WAITED = 131,   /* it has waited for an event for two seconds, as for what a pipe has */
    PROGRAM_UNSTARTED = 130 /* the system has no pipe, process or wall for it; errno has the reason */
};

struct confined_program {
    const char *const *arguments; /* NULL-terminated; the first is looked for along PATH */
    const char *const *readable;  /* files and folders beside the system's own, NULL-terminated; may be NULL */
    const char *folder;           /* its temporary folder, the only one in which it may make files; NULL: none */
    const char *input;            /* a file; NULL: none */
    int data;                     /* an open file as its input instead, "/proc/self/fd/0" for it; 0: none */
    int output;                   /* an open file for its output and errors; 0: they go to `said` */
    uint64_t memory;              /* bytes of address space; 0: what is free */
    unsigned seconds;             /* 0: two minutes */
    bool is_own;                  /* what it reads is the lab's own: it runs outside the walls */
};

/* Runs it in the stage WALLS_COMPILE; `said` has PROGRAM_SAID bytes, or is NULL. Of more than fits, the middle is
 * dropped: a compiler says last what it failed of. Returns its exit code, or one of the above. */
int program_run(const struct confined_program *program, char *said);
