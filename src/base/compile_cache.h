/* Compiled programs kept on disk, in the user's cache folder (cache_folder.h), one file each: CUDA's machine code and
 * its listings, and the modules in which kernels are traced. Whatever is wrong with the folder or a file means only
 * that the program is compiled again. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All entries together; beyond that the oldest are deleted. */
#define COMPILE_CACHE_BYTES ((uint64_t)512 << 20)

/* A 128-bit hash of an entry's inputs, and their number of bytes. Zeroed before the first part is added. */
struct cache_key {
    uint64_t hash[2];
    uint64_t bytes;
};

/* Adds a part; "ab" + "c" and "a" + "bc" are different keys. */
void cache_key_add(struct cache_key *key, const void *data, size_t bytes);
void cache_key_add_text(struct cache_key *key, const char *text);

/* Adds a program's or a library's path, size and time of change. */
void cache_key_add_file(struct cache_key *key, const char *path);

/* False when there is no such entry, when it is incomplete, or when another user may have written it. On success *data
 * is malloc'ed, with a zero behind it. */
bool cache_load(const struct cache_key *key, void **data, size_t *bytes);

/* Keeps a copy, if that is possible. */
void cache_store(const struct cache_key *key, const void *data, size_t bytes);

/* From now on this process, and what it forks, neither reads nor writes the cache on disk. It keeps the last entries
 * that it stores itself. */
void cache_keep_within(void);
