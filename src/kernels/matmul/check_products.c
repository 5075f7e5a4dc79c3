#include "kernels/matmul/check_products.h"

#include <stdlib.h>

#include "base/pool.h"
#include "base/worth_threads.h"
#include "kernels/matmul/check_loops.h"

#define PARTS_DOWN 64
#define PART_ROWS 256  /* at least, where there are as many */
#define PART_COLS 4096 /* at most: the sums of its columns are in the second-level cache */

/* A matrix in parts. Each has sums of its own, of its rows and of its columns, which are added in the parts' order. */
struct parts {
    const struct matrix *s;
    struct factor plain, transposed;
    const struct check_loops *loops;
    size_t down, across; /* how many */
    double *row_sums;    /* [across][CHECK_SUMS][rows] */
    double *col_sums;    /* [down][CHECK_SUMS][cols] */
};

/* Some rows' elements of a chunk of columns. */
struct chunk {
    size_t row, rows, from, count;
    double numbers[CHECK_ROWS][CHECK_CHUNK]; /* rows behind the last are zeros */
};

/* Returns whether all are finite. */
static bool take_chunk(const struct parts *parts, struct chunk *chunk)
{
    const struct matrix *s = parts->s;
    bool are_finite = true;
    for (size_t r = 0; r < chunk->rows; r++)
        are_finite &= check_widen_finite(parts->loops, s->type, s->data, (chunk->row + r) * s->stride + chunk->from,
                                         chunk->count, chunk->numbers[r]);
    for (size_t r = chunk->rows; r < CHECK_ROWS; r++)
        memset(chunk->numbers[r], 0, sizeof chunk->numbers[r]);
    return are_finite;
}

static void multiply_chunk(const struct parts *parts, struct chunk *chunk, double *row_sums, double *col_sums)
{
    const struct vectors *along = parts->plain.x, *down = parts->transposed.x;
    for (size_t v = 0; v < CHECK_SUMS; v++) {
        if (v == CHECK_VECTORS)
            parts->loops->square(chunk->numbers, chunk->count);
        if (along) {
            double sums[CHECK_ROWS];
            parts->loops->multiply_rows(chunk->numbers, along->of[v] + chunk->from, chunk->count, sums);
            for (size_t r = 0; r < chunk->rows; r++)
                row_sums[v * parts->s->rows + chunk->row + r] += sums[r];
        }
        if (down) {
            double factors[CHECK_ROWS] = {0};
            memcpy(factors, down->of[v] + chunk->row, chunk->rows * sizeof *factors);
            parts->loops->multiply_columns(chunk->numbers, factors, chunk->count,
                                           col_sums + v * parts->s->cols + chunk->from);
        }
    }
}

/* Whole rows one after the other, as memory is read fastest so. Returns whether all of the part's elements are finite.
 */
static bool multiply_part(const struct parts *parts, size_t i, size_t j)
{
    const struct matrix *s = parts->s;
    const size_t row_end = pool_part(s->rows, parts->down, i + 1), end = pool_part(s->cols, parts->across, j + 1);
    double *row_sums = parts->row_sums + j * CHECK_SUMS * s->rows,
           *col_sums = parts->col_sums + i * CHECK_SUMS * s->cols;
    bool are_finite = true;
    struct chunk chunk;
    for (chunk.row = pool_part(s->rows, parts->down, i); chunk.row < row_end; chunk.row += chunk.rows) {
        chunk.rows = size_least(CHECK_ROWS, row_end - chunk.row);
        for (chunk.from = pool_part(s->cols, parts->across, j); chunk.from < end; chunk.from += chunk.count) {
            chunk.count = check_chunk(chunk.from, end);
            are_finite &= take_chunk(parts, &chunk);
            multiply_chunk(parts, &chunk, row_sums, col_sums);
        }
    }
    return are_finite;
}

static void add_parts(const double *sums, size_t parts, size_t count, const struct vectors *result)
{
    for (size_t part = 0; part < parts; part++)
        for (size_t v = 0; v < CHECK_SUMS; v++)
            for (size_t i = 0; i < count; i++)
                result->of[v][i] += sums[(part * CHECK_SUMS + v) * count + i];
}

bool check_multiply(const struct matrix *s, struct factor plain, struct factor transposed, bool *is_finite)
{
    struct parts parts = {.s = s, .plain = plain, .transposed = transposed, .loops = check_loops()};
    parts.down = size_least(PARTS_DOWN, (s->rows + PART_ROWS - 1) / PART_ROWS);
    parts.across = (s->cols + PART_COLS - 1) / PART_COLS;
    parts.row_sums = calloc(parts.across * CHECK_SUMS * s->rows + 1, sizeof *parts.row_sums);
    parts.col_sums = calloc(parts.down * CHECK_SUMS * s->cols + 1, sizeof *parts.col_sums);
    const bool memory = parts.row_sums && parts.col_sums;
    const size_t count = memory ? parts.down * parts.across : 0;
    bool are_finite = true;
#pragma omp parallel for schedule(dynamic) reduction(&& : are_finite) if (is_worth_threads(s->rows * s->cols))
    for (size_t part = 0; part < count; part++)
        are_finite = multiply_part(&parts, part / parts.across, part % parts.across) && are_finite;
    if (memory && plain.x)
        add_parts(parts.row_sums, parts.across, s->rows, plain.result);
    if (memory && transposed.x)
        add_parts(parts.col_sums, parts.down, s->cols, transposed.result);
    if (is_finite)
        *is_finite &= are_finite;
    free(parts.row_sums);
    free(parts.col_sums);
    return memory;
}
