/* A folder for files that other programs read or write: compilers, children of this program. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"

/* A user id that lasts as long as a process (walls/namespaces.h): the range that systemd keeps for such. Where this
 * process is root, folders of such a user are its own. */
#define PASSING_USER_FIRST 61184
#define PASSING_USERS 4336
bool user_is_passing(uid_t user);

enum folder_purpose {
    FOLDER_ADVICE,
    FOLDER_GRADE,
    FOLDER_MODULE,
    FOLDER_PIPE,
    FOLDER_TRACE,
};

struct temporary_folder {
    char path[128];
    int lock; /* an open file: a folder that no process has locked was left by one that was killed */
};

/* Makes $TMPDIR/uskor-trace-XXXXXX and the like, or in /tmp where TMPDIR is not absolute or is longer than 90 bytes.
 * Removes those of the same user, for any purpose, that killed processes left there. STATUS_SYSTEM with the system's
 * reason; the folder is then none. */
enum status temporary_folder_make(enum folder_purpose purpose, struct temporary_folder *folder, struct error *error);

/* Removes it with all that is in it. Does nothing where there is none: zeroed, removed, or not made. */
void temporary_folder_remove(struct temporary_folder *folder);

/* Bytes of all files in a folder and below it. For one thread at a time. */
uint64_t folder_bytes(const char *path);

/* What a stranger's code may leave in the folder of its stage. */
#define FOLDER_BYTES_MOST ((uint64_t)1 << 30)

/* Removes those that this process has made and not removed: to be called before it ends. */
void temporary_folder_remove_all(void);
