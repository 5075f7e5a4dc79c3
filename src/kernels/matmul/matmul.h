/* Shared by the rungs, the filling and the check of the matrix product. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "kernels/kernel.h"
#include "kernels/layout.h"

/* A batch of products, or one of its products: C = alpha·op(A)·op(B) + beta·C, row-major, where op(X) is X or its
 * transpose: op(A) is m × k, op(B) k × n, C m × n. As the BLAS has it: with beta = 0 C is not read; with alpha = 0 (or
 * k = 0) A and B are not. NaN and infinity go where IEEE 754 sends them. */
struct product {
    const void *a, *b;
    void *c;
    size_t m, n, k;
    size_t lda, ldb, ldc;          /* elements from one stored row to the next */
    size_t batch;                  /* independent products, with the same sizes and factors */
    size_t step_a, step_b, step_c; /* elements from one product's matrix to the next one's */
    bool transa, transb;
    bool high; /* sums are doubles, whatever the elements */
    double alpha, beta;
    enum element_type type;   /* of A and B: f32, f64; f16 or bf16, whose sums are floats */
    enum element_type result; /* of C: the same, or f32 */
};

/* The product of a problem, with its arrays at these addresses (elements as stored, not as op sees them). */
struct product product_of(const struct problem *problem, const void *a, const void *b, void *c);

/* Product `index` of the batch. */
static inline struct product product_at(const struct product *batch, size_t index)
{
    const size_t bytes = element_info(batch->type)->bytes, result_bytes = element_info(batch->result)->bytes;
    struct product one = *batch;
    one.batch = 1;
    one.a = batch->a ? (const char *)batch->a + index * batch->step_a * bytes : NULL;
    one.b = batch->b ? (const char *)batch->b + index * batch->step_b * bytes : NULL;
    one.c = batch->c ? (char *)batch->c + index * batch->step_c * result_bytes : NULL;
    return one;
}

/* The stored rows of A (0), B (1) or C (2). */
static inline struct layout product_layout(const struct product *p, int array)
{
    if (array == 2)
        return (struct layout){p->m, p->n, p->ldc, p->batch, p->step_c};
    if (array == 1)
        return (struct layout){p->transb ? p->n : p->k, p->transb ? p->k : p->n, p->ldb, p->batch, p->step_b};
    return (struct layout){p->transa ? p->k : p->m, p->transa ? p->m : p->k, p->lda, p->batch, p->step_a};
}

/* The arguments of a run on the cpu. */
static inline struct product product_of_run(const struct run *run)
{
    return product_of(run->problem, run->buffers[0].host, run->buffers[1].host, run->buffers[2].host);
}

/* k as far as it matters: 0 when alpha is. */
static inline size_t product_depth(const struct product *product)
{
    return product->alpha != 0 ? product->k : 0;
}

/* kernel->fill and kernel->check (fill.c, check.c). */
void matmul_fill(const struct problem *problem, const struct array *arrays, struct host_arrays host);
void matmul_fill_unread(const struct problem *problem, const struct array *arrays, struct host_arrays host);
void matmul_check(const struct problem *problem, const struct array *arrays, struct host_arrays input,
                  struct host_arrays output, struct check_result *result);

/* The values of the field "input". */
enum matmul_input {
    INPUT_SIGNED,     /* uniform in [-1, 1) */
    INPUT_UNIT,       /* uniform in [0, 1) */
    INPUT_WIDE,       /* magnitudes from 2^-50 to 2^51, uniform in the exponent */
    INPUT_SPECIAL,    /* signed, with NaN, infinities and zeros sprinkled in */
    INPUT_INTEGERS,   /* every partial sum in every order is exact in the type, and every bit of every factor counts */
    INPUT_TINY,       /* A is subnormal; so are some columns of the result */
    INPUT_HUGE,       /* A is near the type's largest number; some columns of B are subnormal, some results overflow */
    INPUT_NORMAL,     /* the standard normal distribution */
    INPUT_WIDE_17,    /* as wide, magnitudes from 2^-8 to 2^9 */
    INPUT_WIDE_61,    /* as wide, magnitudes from 2^-30 to 2^31 */
    INPUT_STRUCTURED, /* integers, as exact; A, B and C are kinds of matrices that the seed chooses (structure.h) */
};

/* kernel->split (split.c). */
const char *matmul_split(const struct problem *problem, size_t index, size_t count, struct job_part *part, char *reason,
                         size_t size);

/* kernel->plain (plain.c). */
extern const struct plain_signature matmul_plain;
