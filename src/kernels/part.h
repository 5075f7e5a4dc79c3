/* Shared by the code that divides work into parts: split functions to queues, packed.c to threads. */
#pragma once

#include "kernels/kernel.h"

/* Where part `index` of `count` begins (index = count: ends) when `units` are dealt out as evenly as can be. */
static inline size_t part_begin(size_t units, size_t count, size_t index)
{
    return units / count * index + (units % count < index ? units % count : index);
}

/* The same, but the last two parts are a half and a quarter of the others: for jobs whose results take less time to go
 * back than their inputs to come, so that little is left to be done when the last input is there. As part_begin where
 * there are too few units for that. */
size_t part_begin_tapered(size_t units, size_t count, size_t index);

/* Appends a rectangle to an array's pieces (at most PART_PIECES_MAX; an empty one is left out). */
void part_add(struct job_part *part, int array, struct job_piece piece);

/* The same for bytes without gaps. */
void part_add_bytes(struct job_part *part, int array, size_t whole_offset, size_t part_offset, size_t bytes);

/* How long the rows of a rectangle in host memory should be whose beginnings are `pitch` bytes apart, so that a
 * device's copy engine spends hardly more time on them than on bytes without gaps (docs/moving-data.md, Overlap). */
static inline size_t part_row_bytes(size_t pitch)
{
    const size_t least = (size_t)2 << 10, most = (size_t)20 << 10, far = (size_t)64 << 10;
    return pitch >= far ? most : pitch / 4 < least ? least : pitch / 4;
}

/* NULL, or that the units cannot be divided into this many parts, written to `reason`: `format` takes both numbers. */
const char *part_refuses(size_t units, const char *format, size_t count, char *reason, size_t size);

/* For kernels that cannot be cut: writes why, and returns it. */
const char *part_never(const char *why, char *reason, size_t size);
