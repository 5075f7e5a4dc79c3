/* The transpose of a matrix in a .npy file, of any size: what does not fit in memory is done in blocks. */
#pragma once

#include "files/npy.h"
#include "uskor.h"

struct transpose_file {
    const struct npy_array *source;                   /* two axes, either order */
    const struct npy_writer *target;                  /* their lengths exchanged, C order */
    struct uskor *context;                            /* what computes */
    size_t memory_bytes;                              /* about what it may use, files' pages included */
    size_t device_bytes;                              /* the most that one array may take on the device; 0: no limit */
    void (*progress)(void *context, double fraction); /* called now and then */
    void *progress_context;
    void (*passed)(void *context, const char *phases); /* what has just ended: "reading" … */
    void *passed_context;
};

/* The least that memory_bytes may be. */
#define TRANSPOSE_FILE_MEMORY_LEAST ((size_t)1 << 20)

/* Fills the target, and checks that every element arrived. STATUS_FAILED when one did not; else the library's. */
enum status transpose_file(const struct transpose_file *job, struct error *error);
