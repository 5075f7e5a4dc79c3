/* Where PoCL keeps what it compiled. */
#pragma once

#define POCL_CACHE_PATH 1024

/* As PoCL chooses it, from POCL_CACHE_DIR, XDG_CACHE_HOME and HOME. */
void pocl_cache_folder(char path[POCL_CACHE_PATH]);

/* Copies what PoCL used last, at most 32 MiB, into a folder in which a stranger's kernel is compiled: what is in the
 * user's own cache runs outside the walls, too, and is not written from inside. Files that are there stay. */
void pocl_cache_copy(const char *to);
