/* The device rungs' files, the tuned files (../share/uskor/tuned/…), and the report's style and script, built into the
 * program by cmake/embed.cmake. */
#pragma once

#include <stddef.h>

struct embedded_file {
    const char *path; /* below src: "kernels/transpose/naive.cl", "backends/cuda/prelude.cuh" */
    const char *text; /* zero-terminated */
    size_t bytes;
};

extern const struct embedded_file embedded_files[];
extern const size_t embedded_file_count;

/* NULL when the program has no such file. */
const struct embedded_file *embedded_find(const char *path);
