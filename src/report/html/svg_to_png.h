/* A chart as a PNG picture, by librsvg and Cairo, which are opened on first use. */
#pragma once

#include <stddef.h>

#include "base/status.h"

/* Draws the SVG with two pixels for each of its own (fit for print), as PNG in memory that the caller frees with
 * free(). STATUS_UNAVAILABLE: a library is not here, and what to install; or no memory. */
enum status svg_to_png(const char *svg, size_t bytes, void **png, size_t *png_bytes, struct error *error);
