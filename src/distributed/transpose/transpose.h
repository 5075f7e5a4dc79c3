/* The transpose on several devices. The rows of input and output are distributed in blocks of BLOCK_ROWS. */
#pragma once

#include "distributed/ladder.h"

#define BLOCK_ROWS 64

struct matrix_shape {
    size_t rows, cols, element; /* rows and columns of the input; bytes of an element */
};

struct matrix_shape matrix_shape_of(const struct problem *problem);

/* Whether all rows begin at multiples of 16 bytes, dealt out in blocks of BLOCK_ROWS or whole. */
static inline bool matrix_is_wide(struct matrix_shape shape)
{
    return shape.rows * shape.element % 16 == 0 && shape.cols * shape.element % 16 == 0;
}

/* The first row of the input (of the output) on device `index`; index = count: the end. */
static inline size_t input_begin(struct matrix_shape shape, size_t count, size_t index)
{
    return deal_begin(shape.rows, BLOCK_ROWS, count, index);
}

static inline size_t output_begin(struct matrix_shape shape, size_t count, size_t index)
{
    return deal_begin(shape.cols, BLOCK_ROWS, count, index);
}

/* What the fused transposes have in common: their kernel stores each tile in the memory of the device that owns it. */

struct stores {
    struct program *programs[GROUP_MAX];
    struct buffer places[GROUP_MAX]; /* per device the address of its output rows, then the first of them, then cols */
    size_t down, across;             /* elements of a tile */
};

/* Builds the program on every device and writes the places. The caller calls stores_finish, on failure too. */
enum status stores_make(struct device_run *run, const struct program_source *source, struct error *error);
void stores_finish(struct device_run *run);
