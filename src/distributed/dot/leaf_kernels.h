/* The kernels of leaves.cl. */
#pragma once

#include "backends/backend.h"
#include "base/element.h"

#define LEAF_GROUP 256 /* items of a group; each group adds one leaf */

/* The kernels for floats or doubles; program_discard frees them. */
enum status leaf_kernels_build(struct device *device, enum element_type type, struct program **program,
                               struct error *error);

/* The vectors on one device, and where the sums of their leaves go. */
struct leaf_sums {
    const struct buffer *a, *b;
    const struct buffer *sums; /* doubles, one for each leaf; NULL: those at `address` */
    int64_t address;           /* may be in a peer's memory */
    size_t leaf;               /* elements of every leaf but the last */
};

/* Enqueues the sums of the leaves of `elements` elements of both vectors. */
enum status leaf_kernels_add(struct program *program, const struct leaf_sums *leaves, size_t elements,
                             struct error *error);

/* One device's part in the addition of all devices' leaves. Addresses are valid on all of them. */
struct leaf_total {
    const struct buffer *own; /* this device's sums */
    size_t own_count, first_leaf;
    int64_t sums;   /* doubles, one for each leaf of all devices */
    int64_t done;   /* a word of 32 bits: 0 */
    int64_t result; /* a double */
    size_t count;   /* of all devices' leaves */
    size_t devices; /* each enqueues this once */
};

/* Enqueues the copy of this device's sums to those of all; the device that is the last to be ready adds them up. */
enum status leaf_kernels_collect(struct program *program, const struct leaf_total *total, struct error *error);

/* Enqueues the addition of `count` sums into `result`, a double, in an order that depends on `count` alone. */
enum status leaf_kernels_total(struct program *program, const struct buffer *sums, size_t count,
                               const struct buffer *result, struct error *error);
