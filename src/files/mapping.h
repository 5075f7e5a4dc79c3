/* A file in memory, mapped, so that files larger than memory can be worked on piece by piece.
 *
 * When somebody cuts a mapped file short, or its disk fails, touching the lost part raises SIGBUS. mapping_open
 * installs a handler that puts zeros in the lost part's place and remembers it; mapping_check says so afterwards. Call
 * it before a result made from a mapping is kept. A SIGBUS that has nothing to do with a mapping goes where it went
 * before. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

struct mapping {
    void *data; /* page-aligned; NULL when nothing is mapped */
    size_t bytes;
    int slot; /* on the handler's list */
};

/* Maps the first `bytes` bytes (at least 1) of an open file, shared: writes reach the file. The descriptor may be
 * closed afterwards. A zeroed struct needs no closing. `path` is for messages. */
enum status mapping_open(int descriptor, size_t bytes, bool writable, const char *path, struct mapping *mapping,
                         struct error *error);
void mapping_close(struct mapping *mapping);

/* STATUS_SYSTEM when a part of the file could not be reached since mapping_open. */
enum status mapping_check(const struct mapping *mapping, const char *path, struct error *error);

/* Advice for files larger than memory. `want`: this part will be read soon, begin to fetch it. `drop`: this part is
 * done with, its pages need not stay in this process (what was written still reaches the file). `scattered`: the file
 * will be touched in small parts that `want` announces, so reading ahead of them is wasted. And for files that fit:
 * `fault_in` maps every page now, by several threads, instead of one by one when it is first touched. */
void mapping_want(const struct mapping *mapping, size_t offset, size_t bytes);
void mapping_drop(const struct mapping *mapping, size_t offset, size_t bytes);
void mapping_scattered(const struct mapping *mapping);
void mapping_fault_in(const struct mapping *mapping);
