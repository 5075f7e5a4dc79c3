/* The unfinished file that an output is written to, in the folder of its target. Where the file system can (O_TMPFILE)
 * it has no name until it is done, and goes with the process whatever ends that; elsewhere it is a hidden file,
 * ".uskor-0123456789abcdef.part", locked as long as its writer lives. Such a file of a killed program is removed
 * when the next output is begun in the folder. */
#pragma once

#include <stdbool.h>

#include "base/status.h"

struct temporary {
    int folder;     /* open folder; all names are relative to it, even if its path changes */
    int descriptor; /* of the unfinished file; -1: none */
    char name[40];  /* "": it has none */
    char *prefix;   /* the folder with its slash, as the target has it: for the signal handlers */
    int slot;       /* on their list */
};

/* Begins a file beside `target`; `path` is what messages call it. On failure nothing is left; a zeroed one with
 * descriptors of -1 needs no abandoning. */
enum status temporary_create(const char *target, const char *path, struct temporary *temporary, struct error *error);

/* Gives it its hidden name where it has none, so that other processes can open it. 0, or -1 with errno. */
int temporary_show(struct temporary *temporary);

/* Gives it the name `base` in its folder: `replaces` puts it in the place of what is there, else EEXIST is met. 0, or
 * -1 with errno. */
int temporary_give_name(struct temporary *temporary, const char *base, bool replaces);

/* Closes all; removes the file when it still has its own name. */
void temporary_end(struct temporary *temporary);
