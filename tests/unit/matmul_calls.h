/* Products made term by term, with numbers rounded or flushed as wrong rungs might: for tests of the check. */
#pragma once

#include "matmul_bench.h"

#include <float.h>

/* ---- the product's parts -------------------------------------------------------------------------------------- */

/* op(A) and op(B) as rows without padding. */
struct operands {
    const struct product *p;
    float *a, *b;
};

static inline struct operands gather(const struct product *p)
{
    const float *a = p->a, *b = p->b;
    struct operands o = {p, malloc((p->m * p->k + 1) * sizeof(float)), malloc((p->k * p->n + 1) * sizeof(float))};
    for (size_t row = 0; row < p->m; row++)
        for (size_t k = 0; k < p->k; k++)
            o.a[row * p->k + k] = a[p->transa ? k * p->lda + row : row * p->lda + k];
    for (size_t k = 0; k < p->k; k++)
        for (size_t col = 0; col < p->n; col++)
            o.b[k * p->n + col] = b[p->transb ? col * p->ldb + k : k * p->ldb + col];
    return o;
}

static inline void release(struct operands o)
{
    free(o.a);
    free(o.b);
}

typedef double term(float a, float b);

/* Every element as alpha times a sum of `depth` terms in double, and beta·C. */
static inline void multiply_by(struct operands o, term *of, size_t depth)
{
    const struct product *p = o.p;
    for (size_t row = 0; row < p->m; row++)
        for (size_t col = 0; col < p->n; col++) {
            float *c = (float *)p->c + row * p->ldc + col;
            double sum = 0;
            for (size_t k = 0; k < depth; k++)
                sum += of(o.a[row * p->k + k], o.b[k * p->n + col]);
            *c = (float)((depth > 0 ? p->alpha * sum : 0) + (p->beta != 0 ? p->beta * (double)*c : 0));
        }
}

static inline float keep_bits(float value, unsigned dropped)
{
    uint32_t bits;
    if (!isfinite(value))
        return value;
    memcpy(&bits, &value, sizeof bits);
    bits = (bits + (1u << (dropped - 1))) & ~((1u << dropped) - 1);
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline float flushed(float value)
{
    return fabsf(value) < FLT_MIN ? 0 : value;
}

/* ---- terms ---------------------------------------------------------------------------------------------------- */

static inline double plain(float a, float b)
{
    return (double)a * (double)b;
}

static inline double of_zero(float a, float b)
{
    (void)a, (void)b;
    return 0;
}

static inline double bf16(float a, float b)
{
    return plain(keep_bits(a, 16), keep_bits(b, 16));
}

static inline double bf16_a(float a, float b)
{
    return plain(keep_bits(a, 16), b);
}

static inline double bf16_b(float a, float b)
{
    return plain(a, keep_bits(b, 16));
}

static inline double two_bf16(float a, float b)
{
    return plain(keep_bits(a, 8), keep_bits(b, 8));
}

/* Three bfloat16 each, of whose nine products the three largest are taken. */
static inline double three_products(float a, float b)
{
    float high_a = keep_bits(a, 16), high_b = keep_bits(b, 16);
    double low_a = (double)a - (double)high_a, low_b = (double)b - (double)high_b;
    return plain(high_a, high_b) + (double)high_a * low_b + low_a * (double)high_b;
}

static inline double three_parts_fewer_products(float a, float b)
{
    float high_a = keep_bits(a, 16), high_b = keep_bits(b, 16);
    float middle_a = keep_bits(a - high_a, 16), middle_b = keep_bits(b - high_b, 16);
    return plain(high_a, high_b) + plain(high_a, middle_b) + plain(middle_a, high_b) + plain(middle_a, middle_b);
}

static inline double tf32(float a, float b)
{
    return plain(keep_bits(a, 13), keep_bits(b, 13));
}

static inline double three_tf32(float a, float b)
{
    float high_a = keep_bits(a, 13), high_b = keep_bits(b, 13);
    float low_a = keep_bits(a - high_a, 13), low_b = keep_bits(b - high_b, 13);
    return plain(high_a, high_b) + plain(high_a, low_b) + plain(low_a, high_b);
}

static inline float to_half(float value)
{
    return fabsf(value) >= 65520 ? copysignf(INFINITY, value) : fabsf(value) < 0x1p-25f ? 0 : keep_bits(value, 13);
}

static inline double half(float a, float b)
{
    return plain(to_half(a), to_half(b));
}

static inline double flush_a(float a, float b)
{
    return plain(flushed(a), b);
}

static inline double flush_b(float a, float b)
{
    return plain(a, flushed(b));
}

static inline double flush_terms(float a, float b)
{
    return (double)flushed(a * b);
}

static inline double no_special(float a, float b)
{
    return isfinite(a) && isfinite(b) ? plain(a, b) : 0;
}

static inline double only_finite(float a, float b)
{
    return fmin(fmax(plain(a, b), -(double)FLT_MAX), (double)FLT_MAX);
}

static inline float *element(const struct product *p, size_t row, size_t col)
{
    return (float *)p->c + row * p->ldc + col;
}

static inline void restore(const struct bench *bench)
{
    memcpy(bench->output.data[2], bench->input.data[2], bench->arrays[2].bytes);
}
