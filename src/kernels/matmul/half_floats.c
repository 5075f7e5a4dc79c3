#include "kernels/matmul/half_floats.h"

#include "base/half.h"
#include "base/pool.h"

/* The float of a number of 16 bits, in integers that the compiler makes vectors of. */
static inline float widen_f16(uint16_t number)
{
    const uint32_t magnitude = number & 0x7fff;
    const float value = half_from_bits((magnitude << 13) + (magnitude >= 0x7c00 ? 0x70000000 : 0x38000000));
    const float small = half_from_bits((magnitude << 13) + 0x38800000) - 0x1p-14f;
    return number >> 15 ? -(magnitude < 0x400 ? small : value) : magnitude < 0x400 ? small : value;
}

/* Elements below which another thread costs more time than it saves. */
#define THREAD_ELEMENTS 32768.0

/* Rows that threads share, in parts. */
struct rows {
    enum element_type type, wide; /* f32 or f64 */
    const char *from;
    char *to;
    const struct product *product, *floats;
    size_t rows, cols, stride, parts;
};

/* Loops that the compiler makes vectors of. */
#define WIDEN_ROW(wide)                                                       \
    do {                                                                      \
        wide *to = (wide *)(void *)target;                                    \
        if (rows->type == ELEMENT_F32)                                        \
            for (size_t col = 0; col < cols; col++)                           \
                to[col] = (wide)((const float *)from)[col];                   \
        else if (rows->type == ELEMENT_BF16)                                  \
            for (size_t col = 0; col < cols; col++)                           \
                to[col] = (wide)bf16_to_float(((const uint16_t *)from)[col]); \
        else                                                                  \
            for (size_t col = 0; col < cols; col++)                           \
                to[col] = (wide)widen_f16(((const uint16_t *)from)[col]);     \
    } while (0)

static void widen_part(void *context, size_t part, size_t thread)
{
    (void)thread;
    const struct rows *rows = context;
    const size_t cols = rows->cols, end = pool_part(rows->rows, rows->parts, part + 1);
    for (size_t row = pool_part(rows->rows, rows->parts, part); row < end; row++) {
        const void *from = rows->from + row * rows->stride * element_info(rows->type)->bytes;
        char *target = rows->to + row * cols * element_info(rows->wide)->bytes;
        if (rows->wide == ELEMENT_F64)
            WIDEN_ROW(double);
        else
            WIDEN_ROW(float);
    }
}

static void widen_rows(const struct product *p, const void *from, size_t count, size_t cols, size_t stride, void *to)
{
    struct rows rows = {.type = p->type,
                        .wide = product_factors(p),
                        .from = from,
                        .to = to,
                        .rows = count,
                        .cols = cols,
                        .stride = stride};
    rows.parts = pool_threads_for((double)count * (double)cols, THREAD_ELEMENTS);
    parallel_for(rows.parts, rows.parts, widen_part, &rows);
}

size_t half_floats_bytes(const struct product *p)
{
    const size_t k = product_depth(p);
    return (p->m * k + k * p->n + p->m * p->n) * element_info(product_factors(p))->bytes;
}

struct product half_to_floats(const struct product *p, void *memory)
{
    const size_t k = product_depth(p);
    struct product floats = *p;
    const size_t bytes = element_info(product_factors(p))->bytes;
    char *a = memory, *b = a + p->m * k * bytes;
    widen_rows(p, p->a, k == 0 ? 0 : p->transa ? k : p->m, p->transa ? p->m : k, p->lda, a);
    widen_rows(p, p->b, k == 0 ? 0 : p->transb ? p->n : k, p->transb ? k : p->n, p->ldb, b);
    floats.type = floats.result = product_factors(p);
    floats.batch = 1;
    floats.a = a;
    floats.b = b;
    floats.c = b + k * p->n * bytes;
    floats.k = k;
    floats.lda = p->transa ? p->m : k;
    floats.ldb = p->transb ? k : p->n;
    floats.ldc = p->n;
    floats.alpha = 1;
    floats.beta = 0;
    return floats;
}

/* In the arithmetic of the sums; then rounded to the result's type. */
#define FINISH_ROW(wide)                                                                   \
    do {                                                                                   \
        const wide *sums = rows->floats->c, alpha = (wide)p->alpha, beta = (wide)p->beta;  \
        for (size_t col = 0; col < p->n; col++) {                                          \
            wide value = product_depth(p) > 0 ? alpha * sums[row * p->n + col] : 0;        \
            if (beta != 0)                                                                 \
                value += beta * (wide)element_number(p->result, p->c, row * p->ldc + col); \
            element_put(p->result, p->c, row * p->ldc + col, (double)value);               \
        }                                                                                  \
    } while (0)

/* The same of floats without beta: loops that the compiler makes vectors of. */
static void finish_row(const struct rows *rows, size_t row)
{
    const struct product *p = rows->product;
    const float alpha = (float)p->alpha, *sums = (const float *)rows->floats->c + row * p->n;
    void *c = (char *)p->c + row * p->ldc * element_info(p->result)->bytes;
    if (p->result == ELEMENT_F32)
        for (size_t col = 0; col < p->n; col++)
            ((float *)c)[col] = alpha * sums[col];
    else if (p->result == ELEMENT_BF16)
        for (size_t col = 0; col < p->n; col++)
            ((uint16_t *)c)[col] = bf16_from_float(alpha * sums[col]);
    else
        for (size_t col = 0; col < p->n; col++)
            ((uint16_t *)c)[col] = f16_from_float(alpha * sums[col]);
}

static void finish_part(void *context, size_t part, size_t thread)
{
    (void)thread;
    const struct rows *rows = context;
    const struct product *p = rows->product;
    const size_t end = pool_part(p->m, rows->parts, part + 1);
    for (size_t row = pool_part(p->m, rows->parts, part); row < end; row++)
        if (product_factors(p) == ELEMENT_F64)
            FINISH_ROW(double);
        else if (p->beta == 0 && product_depth(p) > 0)
            finish_row(rows, row);
        else
            FINISH_ROW(float);
}

void half_from_floats(const struct product *p, const struct product *floats)
{
    struct rows rows = {.product = p, .floats = floats};
    rows.parts = pool_threads_for((double)p->m * (double)p->n, THREAD_ELEMENTS);
    parallel_for(rows.parts, rows.parts, finish_part, &rows);
}
