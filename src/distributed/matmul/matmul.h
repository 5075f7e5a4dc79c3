/* The matrix product on several devices: the rows of A, B and C are distributed. Each device gathers all of B and
 * multiplies its rows of A by the best local rung. */
#pragma once

#include "distributed/carrier.h"

#define PRODUCT_BLOCK 128 /* rows are distributed in multiples of it */

struct product_shape {
    size_t m, n, k, element;
};

struct product_shape product_shape_of(const struct problem *problem);

/* Returns NULL, or the reason, written to `reason`, why matrices in parts cannot be those of this problem. */
const char *product_refuses(const struct problem *problem, char *reason, size_t size);

static inline size_t a_begin(struct product_shape shape, size_t count, size_t index)
{
    return deal_begin(shape.m, PRODUCT_BLOCK, count, index);
}

static inline size_t b_begin(struct product_shape shape, size_t count, size_t index)
{
    return deal_begin(shape.k, PRODUCT_BLOCK, count, index);
}

/* For rung->scratch: space for all of B. */
size_t gather_scratch(const struct problem *problem, size_t index, size_t count);

/* For rung->prepare: gather_finish and gather_enqueue are the rung's finish and enqueue. */
enum status gather_prepare(struct device_run *run, struct error *error);
enum status gather_enqueue(struct device_run *run, struct error *error);
