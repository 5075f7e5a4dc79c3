/* NumPy's .npy files: reading by mapping, writing beside the target and renaming (see output.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/element.h"
#include "base/status.h"
#include "files/input.h"
#include "files/mapping.h"
#include "files/npy_header.h"
#include "files/output.h"

/* An array in a file, mapped read-only. */
struct npy_array {
    struct npy_layout layout;
    enum element_type element; /* ELEMENT_TYPE_COUNT: none of ours has these bits in this machine's byte order; the
                                  items can still be moved by layout.item_bytes */
    const void *data;          /* layout.bytes bytes, usually at a multiple of 64; valid until npy_close */
    size_t offset;             /* of data in the mapping and in the file */
    struct mapping mapping;
    struct input input;
    char *path; /* for messages; NULL: nothing is open */
};

/* Opens `path`: checks preamble, header and the file's size, which must fit the shape exactly. Nothing of the data is
 * read yet. STATUS_INVALID (damaged, hostile, unsupported) or STATUS_SYSTEM (cannot be read); the message names the
 * file. Close with npy_close; after a failure nothing is held, and closing a zeroed array is fine. */
enum status npy_open(const char *path, struct npy_array *array, struct error *error);
void npy_close(struct npy_array *array);

/* Demands that all of the data could be read so far, and that the file is still what was opened. */
enum status npy_check(const struct npy_array *array, struct error *error);

/* The outcome of work on the array: `status`, with `error` as the work left it. If the file was changed meanwhile
 * (npy_check), that is the error instead, and the work is not blamed. Call it before a result is kept, whatever the
 * status. */
enum status npy_outcome(const struct npy_array *array, enum status status, struct error *error);

/* A .npy file in the making: its data is mapped for writing. */
struct npy_writer {
    struct npy_layout layout;
    void *data;    /* layout.bytes bytes, zeros until written */
    size_t offset; /* of data in the mapping and in the file */
    struct mapping mapping;
    struct output *output;
};

/* Begins a file of this layout (kind, order, item_bytes, fortran, rank and shape are read) with all its space on the
 * disk taken. Errors are output_create's and output_reserve's. Ends with npy_finish or npy_abandon. */
enum status npy_create(const char *path, bool force, const struct npy_layout *layout, struct npy_writer *writer,
                       struct error *error);

/* Puts the file in place. On failure nothing is left. The writer is empty afterwards either way. */
enum status npy_finish(struct npy_writer *writer, struct error *error);

/* Removes the unfinished file; a zeroed writer is fine. */
void npy_abandon(struct npy_writer *writer);
