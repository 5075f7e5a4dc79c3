/* Shared by the rungs of the transpose. */
#pragma once

#include <stddef.h>

#include "base/translation.h"
#include "kernels/kernel.h"
#include "kernels/layout.h"

/* The fields of a problem, in their order. */
enum transpose_field {
    TRANSPOSE_ROWS,
    TRANSPOSE_COLS,
    TRANSPOSE_INPUT,
    TRANSPOSE_IN_PAD,
    TRANSPOSE_OUT_PAD,
    TRANSPOSE_BATCH,
    TRANSPOSE_IN_STEP,
    TRANSPOSE_OUT_STEP,
    TRANSPOSE_GROUP,
    TRANSPOSE_INPLACE
};

/* One matrix: row `col` of out has at `row` what row `row` of in has at `col`, elements of `bytes` bytes. The arrays do
 * not overlap. Rungs that do not know the fields behind TRANSPOSE_INPUT have rows without gaps, of elements of 1, 2, 4,
 * 8 or 16 bytes. */
struct transposition {
    const unsigned char *in; /* rows × cols */
    unsigned char *out;      /* cols × rows */
    size_t rows, cols;
    size_t bytes;
    size_t in_pitch, out_pitch; /* bytes from one row to the next */
};

/* The arrays of a problem, in numbers: of those an element has problem.group. In place both are one array. */
struct transpose_layouts {
    struct layout in, out;
};

static inline struct transpose_layouts transpose_layouts_of(const struct problem *problem)
{
    const union field_value *values = problem->values;
    const size_t rows = (size_t)values[TRANSPOSE_ROWS].size, cols = (size_t)values[TRANSPOSE_COLS].size;
    const size_t group = (size_t)values[TRANSPOSE_GROUP].size, batch = (size_t)values[TRANSPOSE_BATCH].size;
    struct transpose_layouts layouts = {
        .in = {rows, cols * group, cols * group + (size_t)values[TRANSPOSE_IN_PAD].size, batch, 0},
        .out = {cols, rows * group, rows * group + (size_t)values[TRANSPOSE_OUT_PAD].size, batch, 0},
    };
    layouts.in.step = layout_step(values[TRANSPOSE_IN_STEP].size, rows, layouts.in.pitch);
    layouts.out.step = layout_step(values[TRANSPOSE_OUT_STEP].size, cols, layouts.out.pitch);
    return layouts;
}

static inline bool transpose_is_in_place(const struct problem *problem)
{
    return problem->values[TRANSPOSE_INPLACE].size != 0;
}

/* Matrix `index` of a problem whose arrays begin at `in` and `out`. */
static inline struct transposition transposition_at(const struct problem *problem, const void *in, void *out,
                                                    size_t index)
{
    const struct transpose_layouts layouts = transpose_layouts_of(problem);
    const size_t bytes = element_info(problem->type)->bytes;
    return (struct transposition){
        .in = (const unsigned char *)in + index * layouts.in.step * bytes,
        .out = (unsigned char *)out + index * layouts.out.step * bytes,
        .rows = layouts.in.rows,
        .cols = layouts.out.rows,
        .bytes = bytes * (size_t)problem->values[TRANSPOSE_GROUP].size,
        .in_pitch = layouts.in.pitch * bytes,
        .out_pitch = layouts.out.pitch * bytes,
    };
}

/* The arguments of a run on the cpu, of one matrix. */
static inline struct transposition transposition_of(const struct run *run)
{
    return transposition_at(run->problem, run->buffers[0].host, run->buffers[1].host, 0);
}

/* Calls `function(…, bytes)` with a `bytes` that the compiler knows: a function written once, with memcpy for its loads
 * and stores, and declared with this attribute becomes one tight loop for each element size. */
#define FOR_EACH_SIZE inline __attribute__((always_inline))
#define CALL_FOR_SIZE(bytes, function, ...) \
    do {                                    \
        switch (bytes) {                    \
        case 1:                             \
            function(__VA_ARGS__, 1);       \
            break;                          \
        case 2:                             \
            function(__VA_ARGS__, 2);       \
            break;                          \
        case 4:                             \
            function(__VA_ARGS__, 4);       \
            break;                          \
        case 8:                             \
            function(__VA_ARGS__, 8);       \
            break;                          \
        default:                            \
            function(__VA_ARGS__, 16);      \
            break;                          \
        }                                   \
    } while (0)

enum transpose_input { TRANSPOSE_INPUT_NUMBERS, TRANSPOSE_INPUT_BITS, TRANSPOSE_INPUT_STRUCTURED };

/* For libraries that multiply each element by one, which is not every bit's identity: NULL, or the reason against this
 * problem. */
static inline const char *transpose_refuses_bits(const struct problem *problem)
{
    return problem_size(problem, "input") == TRANSPOSE_INPUT_BITS
               ? N_("it multiplies by one, which changes signalling NaNs: only for input=numbers")
               : NULL;
}

/* kernel->split (split.c). */
const char *transpose_split(const struct problem *problem, size_t index, size_t count, struct job_part *part,
                            char *reason, size_t size);

/* kernel->plain (plain.c). */
extern const struct plain_signature transpose_plain;

/* The contents of the transpose's matrices. */

/* kernel->fill: random bits; with input=numbers every float is finite and normal, with input=bits some are NaNs of all
 * payloads, zeros of both signs, subnormals and infinities. */
void transpose_fill(const struct problem *problem, const struct array *arrays, struct host_arrays host);

/* Whether one matrix is the transpose of another. */

/* kernel->check: every element, bit for bit. */
void transpose_check(const struct problem *problem, const struct array *arrays, struct host_arrays input,
                     struct host_arrays output, struct check_result *result);
