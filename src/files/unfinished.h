/* The unfinished files of this process: a list that a signal handler may walk. */
#ifndef USKOR_FILES_UNFINISHED_H
#define USKOR_FILES_UNFINISHED_H

/* Installs the handlers described in output.h, once. */
void unfinished_prepare(void);

/* Enters `path` (copied) before the file is created; the returned slot, or -1 when the list is full or the path too
 * long. */
int unfinished_enter(const char *path);

/* Takes it off the list; the file itself is not touched. */
void unfinished_leave(int slot);

#endif
