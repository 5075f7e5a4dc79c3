/* Problems as headings name them: "transpose 4096 × 4096, f32" for "transpose:rows=4096,cols=4096,f32". */
#pragma once

#include <stddef.h>

#define HEADING_BYTES 256

/* Who makes a heading of a canonical text: writes it to `text` and returns that; NULL for a text that it does not know.
 * Without it, and for what it does not know, the canonical text is the heading. */
void headings_from(const char *(*make)(const char *problem, char *text, size_t size));

/* The heading of a problem's canonical text, in `text`. */
const char *problem_title(const char *problem, char text[HEADING_BYTES]);

/* … without the kernel's name: "4096 × 4096, f32". */
const char *problem_title_of_kernel(const char *problem, const char *kernel, char text[HEADING_BYTES]);
