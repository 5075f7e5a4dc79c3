#include "kernels/matmul/half_pairs.h"

#include <stdatomic.h>

#include "base/pool.h"

/* Elements below which another thread costs more time than it saves. */
#define THREAD_ELEMENTS 32768.0
/* Of two elements' biased exponents: their product's last place is then no smaller than a float's smallest normal
 * number, 2^-126, and so is that of every sum. */
#define EXPONENTS_LEAST (2 * 127 - 126 + 2 * 7)

struct matrix {
    const uint16_t *from;
    uint32_t *to;
    size_t rows, cols, stride; /* as stored */
    bool along;                /* pairs are neighbours in a row; else they are in neighbouring rows */
    size_t parts;
    atomic_uint least; /* of the magnitudes but zero, less one */
};

static unsigned least_of(const uint16_t *row, size_t count)
{
    uint16_t least = UINT16_MAX;
    for (size_t i = 0; i < count; i++) {
        const uint16_t magnitude = (uint16_t)((row[i] & 0x7fff) - 1); /* zero becomes the largest */
        least = magnitude < least ? magnitude : least;
    }
    return least;
}

static size_t rows_of_pairs(const struct matrix *matrix)
{
    return matrix->along ? matrix->rows : matrix->rows / 2 + matrix->rows % 2;
}

/* One row of pairs, from one row or two. Returns the least of its magnitudes. */
static unsigned pair_row(const struct matrix *matrix, size_t index)
{
    const size_t cols = matrix->cols, row = matrix->along ? index : 2 * index;
    const uint16_t *first = matrix->from + row * matrix->stride;
    uint32_t *to = matrix->to + index * (matrix->along ? cols / 2 + cols % 2 : cols);
    unsigned least = least_of(first, cols);
    if (matrix->along) {
        if (cols % 2)
            to[cols / 2] = 0;
        memcpy(to, first, cols * sizeof *first);
    } else if (row + 1 < matrix->rows) {
        const uint16_t *second = first + matrix->stride;
        const unsigned other = least_of(second, cols);
        least = other < least ? other : least;
        for (size_t col = 0; col < cols; col++)
            to[col] = first[col] | (uint32_t)second[col] << 16;
    } else {
        for (size_t col = 0; col < cols; col++)
            to[col] = first[col];
    }
    return least;
}

static void pair_part(void *context, size_t part, size_t thread)
{
    (void)thread;
    struct matrix *matrix = context;
    const size_t rows = rows_of_pairs(matrix), end = pool_part(rows, matrix->parts, part + 1);
    unsigned least = UINT16_MAX;
    for (size_t row = pool_part(rows, matrix->parts, part); row < end; row++) {
        const unsigned own = pair_row(matrix, row);
        least = own < least ? own : least;
    }
    unsigned known = atomic_load(&matrix->least);
    while (least < known && !atomic_compare_exchange_weak(&matrix->least, &known, least))
        ;
}

/* Returns the least biased exponent of the elements but zero; 0: a subnormal number's. */
static int pair_matrix(const void *from, size_t rows, size_t cols, size_t stride, bool along, uint32_t *to)
{
    struct matrix matrix = {from, to, rows, cols, stride, along, .least = UINT16_MAX};
    matrix.parts = pool_threads_for((double)rows * (double)cols, THREAD_ELEMENTS);
    parallel_for(matrix.parts, matrix.parts, pair_part, &matrix);
    return (int)((atomic_load(&matrix.least) + 1) >> 7);
}

bool half_to_pairs(const struct product *p, void *memory, struct product *pairs)
{
    const size_t k = product_depth(p), deep = half_pairs_depth(p);
    uint32_t *a = memory, *b = a + p->m * deep;
    const int of_a = pair_matrix(p->a, k == 0 ? 0 : p->transa ? k : p->m, p->transa ? p->m : k, p->lda, !p->transa, a);
    const int of_b = pair_matrix(p->b, k == 0 ? 0 : p->transb ? p->n : k, p->transb ? k : p->n, p->ldb, p->transb, b);
    *pairs = *p;
    pairs->type = pairs->result = ELEMENT_F32;
    pairs->batch = 1;
    pairs->a = a;
    pairs->b = b;
    pairs->c = b + deep * p->n;
    pairs->k = deep;
    pairs->lda = p->transa ? p->m : deep;
    pairs->ldb = p->transb ? deep : p->n;
    pairs->ldc = p->n;
    pairs->alpha = 1;
    pairs->beta = 0;
    return of_a > 0 && of_b > 0 && of_a + of_b >= EXPONENTS_LEAST;
}
