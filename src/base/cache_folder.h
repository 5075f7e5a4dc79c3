/* The folder of what Uskor keeps to save work: $XDG_CACHE_HOME/uskor, or ~/.cache/uskor. It may be deleted at any time.
 * USKOR_CACHE=off in the environment turns it off. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Opens the folder; with `make` it is made. The caller closes the descriptor. Returns -1 where there is none, and where
 * it is not the user's own or others may write to it: files of others would be trusted. */
int cache_folder_open(bool make);

/* Opens a file of the folder for reading; the caller closes it. Returns -1 where there is none, and where it is a link,
 * not the user's own, or others may write to it. */
int cache_folder_file(int folder, const char *name);

/* Keeps the files whose names end in `suffix` below `most` bytes: beyond that the oldest are deleted, down to three
 * quarters. */
void cache_folder_bound(int folder, const char *suffix, uint64_t most);
