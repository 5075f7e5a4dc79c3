/* How much memory this process may still take, and a refusal in words where something needs more: before the kernel
 * ends the program without any. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/* Bytes that are available: the least of what the machine has (MemAvailable), what its control groups allow (cgroup v1
 * and v2, with their parents; file pages that can be dropped count as free) and what the process's own limits leave
 * (RLIMIT_AS, RLIMIT_DATA). UINT64_MAX when nothing is known. `whose` (may be NULL) receives a name for the limit. */
uint64_t memory_available(const char **whose);

/* The same with /proc and /sys below the folder `root` ("" for the system's own). */
uint64_t memory_available_below(const char *root, const char **whose);

/* STATUS_INVALID, in one line that names `what`, when `bytes` more than what is available are needed. */
enum status memory_suffices(uint64_t bytes, const char *what, struct error *error);

/* Bytes of addresses that this process has taken (what RLIMIT_AS counts); 0 where /proc does not tell. */
uint64_t memory_addresses(void);

/* Leaves this process no more addresses than one that has taken `addresses` has under the same RLIMIT_AS. */
void memory_limit_as_with(uint64_t addresses);

/* Where addresses are limited: all threads allocate from one arena. Each would reserve 64 MiB for its own, if it came
 * early enough. To be called first. */
void memory_spare_addresses(void);

/* From now on freed memory stays this process's, up to 128 MiB: memory that is fresh from the system costs a fault a
 * page. For a process that allocates large arrays again and again, and ends soon. */
void memory_keep_freed(void);

/* Whether RLIMIT_AS or RLIMIT_DATA bounds this process: then what one of them does says nothing about the next. */
bool memory_is_limited(void);
