/* The kernels of tiles.cl: rectangles of a matrix in the memory of one device. */
#pragma once

#include "backends/backend.h"

#define TILE_ITEMS 256

struct tiles {
    size_t down, across; /* elements of a tile */
    struct program_source source;
    const char *defines[6];
    char texts[4][32];
};

/* The program for elements of 1, 2, 4, 8 or 16 bytes; `source` then points into `tiles`, which must not be moved.
 * `wide`: all rows of all rectangles begin at multiples of 16 bytes and are multiples of 16 bytes long. */
void tiles_describe(size_t element, bool wide, struct tiles *tiles);

/* The unsigned integer type of an element, as a macro: "ELEMENT=uint". */
const char *tiles_element(size_t bytes);

/* `rows` x `cols` elements of one buffer, from element `in_at` on, and where they go in another; rows are a pitch of
 * elements apart on either side. */
struct rectangle {
    const struct buffer *in, *out;
    size_t in_at, in_pitch, out_at, out_pitch, rows, cols;
};

/* Enqueues the transposition of the rectangle: its columns are the output's rows. */
enum status tiles_turn(const struct tiles *tiles, struct program *program, const struct rectangle *rectangle,
                       struct error *error);
/* Enqueues a copy of the rectangle. */
enum status tiles_place(struct program *program, const struct rectangle *rectangle, struct error *error);
