/* A program's text as the trace compiles it: C++ of the host. */
#pragma once

#include "backends/backend.h"

/* How the compiled text calls itself in the debug information. */
#define TRACED_FILE "uskor-traced-kernel"

/* A copy of the source's text. PTX that loads or stores one word is an assignment. #line directives that name the
 * source's file name TRACED_FILE. In CUDA C++ headers of the host are left out, and an array in shared memory without a
 * size has the largest one. Lines keep their numbers. NULL when memory is out; the caller frees it. */
char *traced_text(const struct program_source *source);

/* The first #include of a traced_text that the trace has no text for: its name. False: there is none. */
bool traced_text_includes(const char *text, char *name, size_t size);
