/* Whether other people's code leaves alone the files that are not its own, and leaves none of its own open.
 *
 * Few descriptors are in use in a process, and one that is not in use cannot be seen to be closed. So one file is
 * opened under many numbers, and all of them must go on naming it. */
#ifndef USKOR_BASE_CHILD_FILES_H
#define USKOR_BASE_CHILD_FILES_H

#include <stdbool.h>

/* Numbers below this are watched. */
#define CHILD_FILES_MOST 1024

/* Takes the first 32 numbers and each 16th of those that are not in use, an eighth of what the process may open at
 * most. To be called once, and again when some were lost. */
void child_files_plant(void);

/* Notes which file every number names: before other people's code runs. */
void child_files_note(void);

enum child_files {
    CHILD_FILES_KEPT,
    CHILD_FILES_CLOSED, /* a number names no file, or another one */
    CHILD_FILES_MORE,   /* a file was opened and not closed; not seen under a number that was chosen, not given */
};

/* What has become of them since the note. */
enum child_files child_files_compare(void);

/* Closes the numbers that name another file than they did: what is meant for the one must not reach the other. */
void child_files_close_strange(void);

#endif
