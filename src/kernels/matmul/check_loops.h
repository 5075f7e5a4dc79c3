/* The inner loops of the check, for each instruction set. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/element.h"
#include "base/size.h"

/* Columns of a stored matrix that these loops take at once, and rows. */
#define CHECK_CHUNK 128
#define CHECK_ROWS 8

/* Rows and columns of a block of a product, and the depth of its pieces: two of b's fit the first-level cache. */
#define CHECK_BLOCK 64
#define CHECK_DEPTH 32

#define CHECK_TF32 16

/* How many of the columns from `from` to `end` make the next chunk. */
static inline size_t check_chunk(size_t from, size_t end)
{
    return size_least(CHECK_CHUNK, end - from);
}

/* Blocks of C, and pieces of op(A) and op(B) as doubles. Columns that are not needed are zeros. */
typedef double check_block[CHECK_BLOCK][CHECK_BLOCK];
struct check_pieces {
    double a[CHECK_BLOCK][CHECK_DEPTH], b[CHECK_DEPTH][CHECK_BLOCK]; /* a[row][depth], b[depth][column] */
};

/* `count` is at most CHECK_CHUNK, and at most CHECK_BLOCK in the loops over blocks. */
struct check_loops {
    /* The elements from `index` on, as doubles. Returns whether all of them are finite. */
    bool (*widen)(enum element_type type, const void *data, size_t index, size_t count, double *numbers);

    /* The largest magnitude; and largest[i] is raised to that of numbers[i]. Numbers are finite. */
    double (*largest)(const double *numbers, size_t count);
    void (*raise_to)(double *largest, const double *numbers, size_t count);

    /* sums[r] = Σ numbers[r][i]·x[i]; sums[i] += Σ numbers[r][i]·factors[r]; and each number's square in its place. */
    void (*multiply_rows)(double (*numbers)[CHECK_CHUNK], const double *x, size_t count, double sums[CHECK_ROWS]);
    void (*multiply_columns)(double (*numbers)[CHECK_CHUNK], const double factors[CHECK_ROWS], size_t count,
                             double *sums);
    void (*square)(double (*numbers)[CHECK_CHUNK], size_t count);

    /* Floats, to 10 fraction bits, ties away from zero (as cvt.rna.tf32 does). Always a multiple of CHECK_TF32 of them:
     * numbers behind `count` are read and written, too. */
    void (*round_to_tf32)(const double *numbers, size_t count, double *rounded);

    /* sum += a·b for the first `rows` rows and, at least, `cols` columns. squares += the squares of its terms, unless
     * that is NULL. */
    void (*multiply_pieces)(const struct check_pieces *pieces, size_t rows, size_t cols, size_t depth, check_block sum,
                            check_block squares);
};

/* Those for cpu_isa(). */
const struct check_loops *check_loops(void);

/* As widen, but NaN and infinities become 0. */
static inline bool check_widen_finite(const struct check_loops *loops, enum element_type type, const void *data,
                                      size_t index, size_t count, double *numbers)
{
    const bool are_finite = loops->widen(type, data, index, count, numbers);
    for (size_t i = 0; !are_finite && i < count; i++)
        numbers[i] = isfinite(numbers[i]) ? numbers[i] : 0;
    return are_finite;
}
