/* A root folder of its own: what is named is there, read only, and nothing else is. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "walls/paths.h"

#define ROOM_BYTES "64m" /* of /tmp and /dev/shm together */

/* In a namespace of mounts that is this process's own: its root becomes a folder in memory, with the list's paths in
 * their places, an empty /tmp and /dev/shm of ROOM_BYTES, and, if it is named, /proc: of this process's namespace where
 * `has_processes`, else the system's. Where `reader` is not 0, that user may read the list's files, and write in its
 * folders. False, with errno: the process can only end then. */
bool room_make(const struct path_list *paths, bool has_processes, uid_t reader);
