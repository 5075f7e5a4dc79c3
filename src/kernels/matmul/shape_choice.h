/* Which rung suits a product's shape, and how the rungs for all shapes cut it: pure functions of the sizes and of the
 * device's number of multiprocessors. The constants are fitted to an H200 (results/h200/matmul-shapes.txt). */
#pragma once

#include "kernels/matmul/matmul.h"

/* How tensor-fused computes a product: tiles, `cluster` groups of each cluster and `spans` clusters share the depth of
 * one, `slice` for each group. */
struct fused_plan {
    int tile, cluster; /* TILE and CLUSTER of tensor_fused.cu */
    size_t tile_m, tile_n, spans, slice;
    size_t groups, items, local_bytes; /* of the launch, for all products of a batch; 0 groups: there are no results */
    size_t fetchers;                   /* of the items */
    size_t sums_at, bytes;             /* of the scratch memory; sums_at: bytes of flags before the sums */
    double nanoseconds;                /* estimated */
};

/* The requested shape; each field is 0 where the least estimate decides. */
struct fused_wish {
    int tile, cluster;
    size_t spans;
};

/* Of floats, on a GPU of so many multiprocessors. */
struct fused_plan fused_plan_of(const struct product *product, unsigned units, struct fused_wish wish);

/* How matrix-vector computes with one or a few vectors: `spread` warps, `cluster` groups and `spans` clusters share the
 * depth of a set of lines, a slice for each group; `wide` times 32 lines make a set where these lie across memory. An
 * item loads `pair` elements at once: 2 of 16 bits, where the matrix lets it. */
struct vector_plan {
    int spread, wide, cluster, pair;
    size_t spans, slice, groups;
    size_t sums_at, bytes; /* as above */
    double nanoseconds;
};

/* The most vectors that matrix-vector computes with. */
#define VECTORS_MOST 8

/* The matrix of a product with few rows or columns of results: so many lines, which the `vectors` are multiplied by;
 * `along`: they lie along memory (matrix_vector.cu). */
struct vector_shape {
    size_t lines, depth, vectors;
    bool along;
    unsigned units; /* multiprocessors */
    size_t bytes;   /* of an element */
    bool is_even;   /* rows of the matrix begin at even elements */
};

struct vector_shape vector_shape_of(const struct product *product, unsigned units);

/* The fields as above. */
struct vector_wish {
    int spread, wide, cluster;
    size_t spans;
};

struct vector_plan vector_plan_of(struct vector_shape shape, struct vector_wish wish);

/* The tiles of results that the estimates of shallow and tensor-shallow assume: those of their files' tunables. */
struct tile_shape {
    size_t m, n;
};
struct tile_shape shallow_tile_of(const struct product *product);
struct tile_shape tensor_shallow_tile_of(const struct product *product);

/* The name of the rung with the least estimate for a product of floats, on a GPU of compute capability 9.0. */
const char *matmul_choice(const struct product *product, unsigned units);

/* kernel->choose: that rung, where it is such a product and such a GPU; NULL elsewhere. */
const char *matmul_choose(const struct problem *problem, const struct device *device);
