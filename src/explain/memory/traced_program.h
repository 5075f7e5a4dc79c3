/* A kernel's source, compiled for the host with every access recorded. */
#ifndef USKOR_EXPLAIN_MEMORY_TRACED_PROGRAM_H
#define USKOR_EXPLAIN_MEMORY_TRACED_PROGRAM_H

#include "backends/backend.h"
#include "explain/memory/kernel_text.h"
#include "explain/memory/lane.h"

/* The source's name in the debug information. */
#define TRACED_FILE "uskor-traced-kernel"

/* Whether what a kernel function loads decides what it does next: an address, or a way through the program. */
enum data_effect {
    DATA_UNKNOWN,
    DATA_DECIDES,
    DATA_DECIDES_NOTHING,
    DATA_CRASH, /* it crashes on the data as they are */
};

struct traced_program {
    struct program base;
    char name[256];   /* of its source */
    char folder[256]; /* where kernel.so lies */
    void *library, *silent_library;
    unsigned long load_address; /* codes and arrays are at this much less in the file */
    struct trace_link *link, *silent_link;
    struct kernel_signature entries[KERNEL_ENTRIES_MAX];
    size_t entry_count;
    enum data_effect effects[KERNEL_ENTRIES_MAX]; /* of each entry */
    struct traced_program *next;                  /* of all that a device ever built */
};

/* Calls the kernel function for one item, its arguments 8 bytes each; with NULL only returns how many it takes. */
typedef int (*traced_entry)(const unsigned long *slots);

/* Compiles; traced_program_free gives back what it takes. STATUS_UNAVAILABLE says why a source cannot be traced, or
 * that there is no compiler. */
enum status traced_program_build(const struct program_source *source, struct traced_program **program,
                                 struct error *error);
void traced_program_free(struct traced_program *program);

/* Compiles the program once more, without a record of anything, for traced_program_function with `silent`. */
enum status traced_program_silence(struct traced_program *program, struct error *error);

/* NULL when the program has no such kernel function. */
const struct kernel_signature *traced_program_entry(const struct traced_program *program, const char *entry);
traced_entry traced_program_function(const struct traced_program *program, const char *entry, bool silent);

/* Whether the kernel function's parameter points to const. */
bool traced_argument_is_const(const struct traced_program *program, const char *entry, size_t argument);

#endif
