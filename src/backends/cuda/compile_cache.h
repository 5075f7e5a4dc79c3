/* Compiled programs kept on disk: $XDG_CACHE_HOME/uskor (~/.cache/uskor), one file each. Whatever is wrong with the
 * folder or a file means only that the program is compiled again; the folder may be deleted at any time.
 * USKOR_CACHE=off in the environment turns it off. */
#ifndef USKOR_BACKENDS_CUDA_COMPILE_CACHE_H
#define USKOR_BACKENDS_CUDA_COMPILE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A 128-bit hash of an entry's inputs, and their number of bytes. Zeroed before the first part is added. */
struct cache_key {
    uint64_t hash[2];
    uint64_t bytes;
};

/* Adds a part; "ab" + "c" and "a" + "bc" are different keys. */
void cache_key_add(struct cache_key *key, const void *data, size_t bytes);
void cache_key_add_text(struct cache_key *key, const char *text);

/* False when there is no such entry, or an incomplete one. On success *data is malloc'ed, with a zero behind it. */
bool cache_load(const struct cache_key *key, void **data, size_t *bytes);

/* Keeps a copy, if that is possible. */
void cache_store(const struct cache_key *key, const void *data, size_t bytes);

#endif
