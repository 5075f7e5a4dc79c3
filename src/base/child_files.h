/* Whether the code that a child runs leaves alone the files that are not its own.
 *
 * Few descriptors are in use in a child, and one that is not in use cannot be seen to be closed. So the child opens one
 * file under many numbers, and looks whether all of them still name it. */
#ifndef USKOR_BASE_CHILD_FILES_H
#define USKOR_BASE_CHILD_FILES_H

#include <stdbool.h>

/* Numbers below this are watched. */
#define CHILD_FILES_MOST 1024

/* To be called once, before other people's code runs. Of the numbers that are not in use the first 32 and each 16th are
 * taken, an eighth of what the process may open at most; these and all that were in use are watched from now on. */
void child_files_watch(void);

/* Whether every number that is watched names the file that it named then. */
bool child_files_are_kept(void);

#endif
