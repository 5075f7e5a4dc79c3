/* The large factor is divided among the threads: its lines in memory, which each thread reads as one stream, or where
 * these are few, their length. Sums that several threads have parts of are added in the order of the parts. */
#include "kernels/matmul/packed_vector.h"

#include "base/pool.h"
#include "kernels/matmul/half_floats.h"
#include "kernels/matmul/packed.h"
#include "kernels/matmul/sizes.h"
#include "kernels/part.h"

#define LINES_LEAST ((size_t)8)     /* of a thread: they are multiplied four at a time */
#define LINES_ADDED ((size_t)128)   /* of a thread, beside which adding its sums to others' takes no time */
#define LENGTH_LEAST ((size_t)1024) /* of a line's part: the processor fetches ahead within it */

bool packed_is_vector(const struct product *p)
{
    return (p->m == 1 || p->n == 1) && (p->type == ELEMENT_F32 || p->type == ELEMENT_F64) && p->result == p->type &&
           product_factors(p) == p->type;
}

/* The product by the matrix's lines: `count` of `length` elements. Along the depth each gives one result; else each is
 * multiplied by its own element of the vector, and they are added up. */
struct vector_product {
    const struct packed_level *level;
    size_t count, length, pitch;
    bool along;
    const void *matrix, *vector;
    size_t vector_step, results, result_step;
    size_t down, across; /* parts: of the lines, and of their length */
    void *sums;          /* for each part of the depth, the results */
};

static struct vector_product vector_product_of(const struct product *p, size_t threads)
{
    const bool is_column = p->n == 1;
    const size_t a_down = p->transa ? 1 : p->lda, a_across = p->transa ? p->lda : 1;
    const size_t b_down = p->transb ? 1 : p->ldb, b_across = p->transb ? p->ldb : 1;
    const size_t next = is_column ? a_down : b_across, deeper = is_column ? a_across : b_down, depth = product_depth(p);
    struct vector_product v = {
        .level = packed_level(p->type == ELEMENT_F64),
        .along = deeper == 1,
        .matrix = is_column ? p->a : p->b,
        .vector = is_column ? p->b : p->a,
        .vector_step = is_column ? b_down : a_across,
        .results = is_column ? p->m : p->n,
        .result_step = is_column ? p->ldc : 1,
    };
    v.count = v.along ? v.results : depth;
    v.length = v.along ? depth : v.results;
    v.pitch = v.along ? next : deeper;
    if (v.along) {
        v.down = size_least(threads, divide_up(v.count, LINES_LEAST));
        v.across = size_least(threads / v.down, divide_up(v.length + 1, LENGTH_LEAST));
    } else {
        v.down = size_least(threads, v.count / LINES_ADDED + 1);
        v.across = size_least(threads / v.down, divide_up(v.length, LENGTH_LEAST));
    }
    return v;
}

/* Parts of the depth. */
static size_t depth_parts(const struct vector_product *v)
{
    return v->along ? v->across : v->down;
}

size_t packed_vector_bytes(const struct product *p)
{
    const struct vector_product v = vector_product_of(p, 1);
    return (v.results + (v.vector_step == 1 ? 0 : product_depth(p)) + 1) * v.level->bytes;
}

static void multiply_lines(void *context, size_t index, size_t thread)
{
    (void)thread;
    const struct vector_product *v = context;
    const size_t bytes = v->level->bytes, i = index / v->across, j = index % v->across;
    const size_t top = part_begin(v->count, v->down, i), left = part_begin(v->length, v->across, j);
    const size_t at = v->along ? j * v->results + top : i * v->results + left;
    const struct packed_lines lines = {
        .lines = part_begin(v->count, v->down, i + 1) - top,
        .length = part_begin(v->length, v->across, j + 1) - left,
        .pitch = v->pitch,
        .a = (const char *)v->matrix + (top * v->pitch + left) * bytes,
        .x = (const char *)v->vector + (v->along ? left : top) * bytes,
        .sums = (char *)v->sums + at * bytes,
    };
    (v->along ? v->level->dots_of_lines : v->level->sum_of_lines)(&lines);
}

/* With beta = 0 C is not read: it may hold NaN. */
#define DEFINE(ELEMENT)                                                                     \
    static void put_##ELEMENT(const struct vector_product *v, const struct product *p)      \
    {                                                                                       \
        const ELEMENT *sums = v->sums, alpha = (ELEMENT)p->alpha, beta = (ELEMENT)p->beta;  \
        ELEMENT *c = p->c;                                                                  \
        for (size_t i = 0; i < v->results; i++, c += v->result_step) {                      \
            ELEMENT sum = sums[i];                                                          \
            for (size_t part = 1; part < depth_parts(v); part++)                            \
                sum += sums[part * v->results + i];                                         \
            *c = beta == 0 ? alpha * sum : alpha * sum + beta * *c;                         \
        }                                                                                   \
    }                                                                                       \
    static void copy_##ELEMENT(ELEMENT *to, const ELEMENT *from, size_t step, size_t count) \
    {                                                                                       \
        for (size_t i = 0; i < count; i++)                                                  \
            to[i] = from[i * step];                                                         \
    }
DEFINE(float)
DEFINE(double)

static void multiply_one(const struct product *p, size_t threads, void *scratch)
{
    struct vector_product v = vector_product_of(p, threads);
    const size_t depth = product_depth(p);
    const bool is_double = p->type == ELEMENT_F64;
    v.sums = scratch;
    if (v.vector_step != 1) {
        if (is_double)
            copy_double(scratch, v.vector, v.vector_step, depth);
        else
            copy_float(scratch, v.vector, v.vector_step, depth);
        v.vector = scratch;
        v.sums = (char *)scratch + depth * v.level->bytes;
    }
    parallel_for(v.down * v.across, threads, multiply_lines, &v);
    if (is_double)
        put_double(&v, p);
    else
        put_float(&v, p);
}

struct batch {
    const struct product *products;
    char *scratch;
    size_t bytes;
};

static void multiply_product(void *context, size_t index, size_t thread)
{
    const struct batch *batch = context;
    const struct product p = product_at(batch->products, index);
    multiply_one(&p, 1, batch->scratch + thread * batch->bytes);
}

void packed_vector(const struct product *batch, size_t threads, void *scratch)
{
    if (batch->batch >= threads) {
        struct batch all = {batch, scratch, packed_vector_bytes(batch)};
        parallel_for(batch->batch, threads, multiply_product, &all);
        return;
    }
    for (size_t i = 0; i < batch->batch; i++) {
        const struct product p = product_at(batch, i);
        multiply_one(&p, threads, scratch);
    }
}
