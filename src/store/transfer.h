/* Measurements as JSON lines: one measurement a line, with its run, its machine, its samples and attachments, so that
 * they can be carried to another store; and a machine's ceilings, one a line. docs/store.md describes the members. */
#pragma once

#include <stdio.h>

#include "store/store.h"

struct attachment {
    char kind[48];
    char *text;
};

/* A measurement with its run and machine, or a ceiling with its machine. */
struct transfer_line {
    struct machine machine; /* with the measurement's device, if its properties are known */
    bool is_ceiling;
    struct ceiling ceiling; /* of a ceiling; id, machine and measurement are 0. The rest is of a measurement: */
    struct store_run run;   /* id and machine are 0 */
    struct measurement measurement;
    struct attachment *attachments;
    size_t attachment_count;
};

/* Reads one line (of `length` bytes, without its end). STATUS_INVALID with a message that says which member is wrong;
 * `line` is then empty, else the caller frees what it holds with transfer_line_free. */
enum status transfer_parse(const char *text, size_t length, struct transfer_line *line, struct error *error);

/* The line as text, without its end: the caller frees it with free(). NULL when memory is out. */
char *transfer_compose(const struct transfer_line *line);

void transfer_line_free(struct transfer_line *line);

/* Writes the chosen measurements to `stream`, whose name messages have; and the newest ceilings, unless the filter asks
 * for a kernel, problem, rung, label or runs. `count` receives how many lines. */
enum status store_export(struct store *store, const struct store_filter *filter, FILE *stream, const char *name,
                         size_t *count, struct error *error);

struct import_counts {
    size_t added; /* measurements */
    size_t known; /* were in the store already: nothing is changed */
    size_t ceilings_added, ceilings_known;
};

/* Adds every line of `stream`, in one transaction: a line that is wrong (STATUS_INVALID, with its number) or a store
 * that fails leaves the store as it was. */
enum status store_import(struct store *store, FILE *stream, const char *name, struct import_counts *counts,
                         struct error *error);

/* From now on an import into this store is STATUS_INTERRUPTED, and leaves it as it was, once `is_cancelled` says so. */
void store_import_until(struct store *store, bool (*is_cancelled)(void));

/* The same, when `is_whole` says STATUS_OK after the last line: a file that changed while it was read adds nothing. */
enum status store_import_checked(struct store *store, FILE *stream, const char *name,
                                 enum status (*is_whole)(const void *context, struct error *error), const void *context,
                                 struct import_counts *counts, struct error *error);
