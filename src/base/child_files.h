/* Whether other people's code leaves alone the files that are not its own, and leaves none of its own open.
 *
 * Watched are the files that this program opened itself, and no others: drivers open and close files of their own, from
 * threads of their own, at any time. Few descriptors are in use in a process, and one that is not in use cannot be seen
 * to be closed. So one file is opened under many numbers, and all of them must go on naming it. */
#pragma once

#include <stdbool.h>

/* Numbers below this are watched. */
#define CHILD_FILES_MOST 1024

/* Watches this descriptor, which is open, until it is found closed: a child's channel. Ignored for larger numbers. */
void child_files_watch(int descriptor);

/* Watches the standard streams, and takes the first 32 numbers and each 16th of those that are not in use, an eighth of
 * what the process may open at most. To be called once, and again when some were lost. */
void child_files_plant(void);

/* Notes the number that the next file will get: before other people's code runs. */
void child_files_note(void);

/* Whether every watched number names the file that it named. */
bool child_files_are_kept(void);

/* Whether the next file gets the number that it would have got at the note. Otherwise a file was opened and not closed
 * since; not seen under a number that was chosen, not given. Only where no driver's thread opens files. */
bool child_files_are_closed(void);

/* Closes the watched numbers that name another file than they did, as what is meant for the one must not reach the
 * other, and watches them no longer. */
void child_files_close_strange(void);
