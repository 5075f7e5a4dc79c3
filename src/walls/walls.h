/* The walls around a stranger's file: the only place where its text is compiled, its code disassembled, loaded and run.
 *
 * Nothing is reachable but what is named: system calls (calls.c), paths (paths.c). A process enters the walls and never
 * leaves them; what it starts is inside, too. */
#pragma once

#include <stdbool.h>

#include "base/status.h"

/* What a process is going to do. A stranger's code runs in all stages but the first, and no program starts there, but
 * for the linker of an OpenCL that compiles for the CPU. */
enum walls_stage {
    WALLS_COMPILE,    /* compilers and disassemblers start; nothing of the stranger's runs */
    WALLS_CODE,       /* a C module */
    WALLS_CPU_DRIVER, /* a kernel, by a driver that compiles it for the CPU (PoCL, llvmpipe) */
    WALLS_GPU_DRIVER, /* a kernel, by a GPU's driver */
    WALLS_EXPLAIN,    /* a module or a kernel is traced; it forks */
};

struct path_list;

struct walls {
    enum walls_stage stage;
    const char *const *readable;    /* further files and folders, NULL-terminated; may be NULL */
    const struct path_list *others; /* further paths, each with its right (paths.h); may be NULL */
    const char *folder;             /* the only one in which files may be made, changed and removed; NULL: none */
};

/* From now on this process, and all that it starts, reads what the stage and `walls` name, writes in the folder, opens
 * no connection, and sends no signal outside: by namespaces of its own (it is another process then, namespaces.h), and
 * by Landlock, as far as the system has them. Threads that there are would stay outside: to be called before drivers
 * start theirs. Open files stay open. STATUS_SYSTEM: the process can only end. */
enum status walls_enter_domain(const struct walls *walls, struct error *error);

/* From now on the whole process makes only the system calls of the stage; C code ends with SIGSYS at any other one, in
 * other stages the call fails. After a driver's start, which needs more.
 *
 * Returns: STATUS_UNAVAILABLE where the system has no seccomp: no stranger's code may run then. */
enum status walls_enter_filter(enum walls_stage stage, struct error *error);

/* Both. */
enum status walls_enter(const struct walls *walls, struct error *error);

/* Whether this process has entered a filter, by itself or as the child of one that had. */
bool walls_are_entered(void);
