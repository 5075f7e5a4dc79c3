/* A kernel's source, compiled for the host with every access recorded. */
#pragma once

#include "backends/backend.h"
#include "base/compile_cache.h"
#include "base/status.h"
#include "base/temporary_folder.h"
#include "explain/memory/kernel_text.h"
#include "explain/memory/lane.h"

/* The shared object in which a kernel is traced: compiled and linked, or taken from the cache on disk. */

struct module_request {
    const char *folder;             /* it has kernel.cpp, what that includes, and hooks.cpp */
    const char *name;               /* of the kernel's source, in messages */
    struct cache_key kernel, hooks; /* of kernel.cpp with what it includes, and of hooks.cpp */
    bool is_silent;                 /* without a record of accesses: silent.so, otherwise kernel.so */
    bool is_refused;                /* the cached one could not be loaded: it is compiled again */
};

/* Whether loaded data decide a kernel function's addresses or branches. */
enum data_effect {
    DATA_UNKNOWN,
    DATA_DECIDES,
    DATA_DECIDES_NOTHING,
    DATA_CRASH,   /* it crashes on the present data */
    DATA_ENDLESS, /* … or does not end */
};

struct traced_program {
    struct program base;
    char name[256];                 /* of its source */
    struct temporary_folder folder; /* of kernel.so */
    struct module_request sources;  /* the keys of its sources */
    void *library, *silent_library;
    unsigned long load_address; /* subtract it from a code or an array's address to get the address in the file */
    struct trace_link *link, *silent_link;
    struct kernel_signature entries[KERNEL_ENTRIES_MAX];
    size_t entry_count;
    enum data_effect effects[KERNEL_ENTRIES_MAX]; /* of each entry */
    uint64_t group_events[KERNEL_ENTRIES_MAX];    /* … of the busier of the two groups that told the effect */
    struct traced_program *next;                  /* the next program that the device built */
};

/* Calls the kernel function for one item, with 8 bytes per argument; with NULL it only returns the number of arguments.
 */
typedef int (*traced_entry)(const unsigned long *slots);

/* Compiles a source; traced_program_free frees the program. STATUS_UNAVAILABLE when the source cannot be traced, with
 * the reason, or without a compiler. */
enum status traced_program_build(const struct program_source *source, struct traced_program **program,
                                 struct error *error);
void traced_program_free(struct traced_program *program);

/* Before the walls: from now on this process, and what it forks, keeps what it compiles within itself. It begins with
 * what all programs share, from the cache on disk; where that fails, each program makes its own. */
void traced_program_hold_hooks(void);

/* Compiles the program again without recording, for traced_program_function with `silent`. */
enum status traced_program_silence(struct traced_program *program, struct error *error);

/* NULL when the program has no such kernel function. */
const struct kernel_signature *traced_program_entry(const struct traced_program *program, const char *entry);
traced_entry traced_program_function(const struct traced_program *program, const char *entry, bool silent);

/* Whether the kernel function's parameter points to const. */
bool traced_argument_is_const(const struct traced_program *program, const char *entry, size_t argument);
