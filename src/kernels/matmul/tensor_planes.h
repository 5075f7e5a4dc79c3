/* The first half of the rungs that multiply on tensor cores: floats are split into parts ("planes") in the scratch
 * memory (planes.cuh), from which the products are computed. */
#pragma once

#include "kernels/matmul/matmul.h"

#define TENSOR_TILE_M 128 /* as planes.cuh has it */
#define TENSOR_TILE_N_MOST 128

enum tensor_parts { TENSOR_BFLOAT16, TENSOR_FLOAT16 };

/* Where things lie in the scratch memory. A line is a row of op(A) or a column of op(B), rounded up to whole tiles. */
struct tensor_planes {
    size_t lines_a, lines_b, depth;
    size_t planes; /* bytes before the parts */
    size_t sums;   /* bytes before what groups leave for each other (float16) */
    size_t bytes;  /* of all */
};

/* For tiles of tile_n columns; with float16 there is room for three parts of bfloat16 as well, and for the sums of
 * `groups` groups. */
struct tensor_planes tensor_planes_of(const struct problem *problem, size_t tile_n, enum tensor_parts parts,
                                      size_t groups);

enum { SPLIT_ARGUMENTS_MAX = 13 };

/* The launches that split. With bfloat16 and scales, `plain` is the first, and the others do what it left undone. */
struct tensor_split {
    struct program *program;
    struct launch plain, scales, settle, split;
    bool settles; /* `plain` and `settle` are needed */
    struct argument_value plain_arguments[SPLIT_ARGUMENTS_MAX], scales_arguments[SPLIT_ARGUMENTS_MAX],
        split_arguments[SPLIT_ARGUMENTS_MAX], settle_arguments[3];
};

/* `fallback`: the scales are there, and the parts are wanted only where the scratch memory says so. The caller discards
 * the program, after a failure too. */
enum status tensor_split_prepare(const struct run *run, const struct tensor_planes *planes, size_t tile_n,
                                 enum tensor_parts parts, bool fallback, struct tensor_split *split,
                                 struct error *error);

/* `with_scales`: finds them, too. */
enum status tensor_split_enqueue(const struct run *run, struct tensor_split *split, bool with_scales,
                                 struct error *error);

/* The numbers that follow A, B, C and the scratch memory in a multiplying kernel's arguments. Returns how many
 * were written: with the place of the sums, or without. */
size_t tensor_product_arguments(const struct problem *problem, const struct tensor_planes *planes, bool with_sums,
                                struct argument_value *arguments);

struct argument_value tensor_buffer(const struct buffer *buffer);
