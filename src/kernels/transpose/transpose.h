/* Shared by the rungs of the transpose. */
#ifndef USKOR_KERNELS_TRANSPOSE_TRANSPOSE_H
#define USKOR_KERNELS_TRANSPOSE_TRANSPOSE_H

#include <stddef.h>

#include "base/translation.h"
#include "kernels/kernel.h"

/* out[col * rows + row] = in[row * cols + col], elements of `bytes` bytes. The arrays do not overlap. */
struct transposition {
    const unsigned char *in; /* rows × cols */
    unsigned char *out;      /* cols × rows */
    size_t rows, cols;
    size_t bytes; /* 1, 2, 4, 8 or 16 */
};

/* The arguments of a run on the cpu. */
static inline struct transposition transposition_of(const struct run *run)
{
    return (struct transposition){
        .in = run->buffers[0].host,
        .out = run->buffers[1].host,
        .rows = run->arrays[0].rows,
        .cols = run->arrays[0].cols,
        .bytes = element_info(run->problem->type)->bytes,
    };
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

#endif
