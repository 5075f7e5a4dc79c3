/* omatcopy and imatcopy: a scaled copy of a matrix, transposed or not. */
#include <stdio.h>
#include <stdlib.h>

#include "blas/beneath.h"
#include "blas/blas.h"
#include "blas/choice.h"
#include "blas/contexts.h"
#include "blas/small.h"
#include "blas/verbose.h"

static int64_t at_least_one(int64_t size)
{
    return size > 1 ? size : 1;
}

/* Positions are OpenBLAS's: ldb is argument 9, and 8 in place. */
static int check(const struct blas_copy *c)
{
    const int64_t line = c->order == ORDER_ROWS ? c->cols : c->rows, other = c->order == ORDER_ROWS ? c->rows : c->cols;
    return c->order != ORDER_ROWS && c->order != ORDER_COLUMNS          ? 1
           : c->trans == FLAG_WRONG                                     ? 2
           : c->rows < 0                                                ? 3
           : c->cols < 0                                                ? 4
           : c->lda < at_least_one(line)                                ? 7
           : c->ldb < at_least_one(c->trans == FLAG_YES ? other : line) ? (c->b ? 9 : 8)
                                                                        : 0;
}

/* B = alpha·op(A) for lines of A; with alpha = 0 A is not read. */
#define COPY(REAL)                                                                                            \
    static void copy_##REAL(const struct blas_copy *c, const REAL *a, REAL *b, int64_t lines, int64_t length) \
    {                                                                                                         \
        const REAL alpha = (REAL)c->alpha;                                                                    \
        for (int64_t i = 0; i < lines; i++)                                                                   \
            for (int64_t j = 0; j < length; j++)                                                              \
                b[c->trans == FLAG_YES ? j * c->ldb + i : i * c->ldb + j] =                                   \
                    alpha == 0 ? 0 : alpha * a[i * c->lda + j];                                               \
    }
COPY(float)
COPY(double)

static void copy(const struct blas_copy *c, const void *a, void *b, int64_t lines, int64_t length)
{
    if (blas_real(c->slot) == REAL_DOUBLE)
        copy_double(c, a, b, lines, length);
    else
        copy_float(c, a, b, lines, length);
}

static void copy_lines(const struct blas_copy *c, size_t lines, size_t length)
{
    const size_t lda = (size_t)c->lda, ldb = (size_t)c->ldb;
    if (blas_real(c->slot) == REAL_DOUBLE)
        blas_copy_wide_double(lines, length, lda, ldb, c->alpha, c->a, c->b);
    else
        blas_copy_wide_float(lines, length, lda, ldb, (float)c->alpha, c->a, c->b);
}

/* In place, by way of a copy of the whole. */
static void copy_in_place(const struct blas_copy *c, void *a, int64_t lines, int64_t length)
{
    const size_t bytes = blas_real(c->slot) == REAL_DOUBLE ? sizeof(double) : sizeof(float);
    const size_t all = ((size_t)(lines - 1) * (size_t)c->lda + (size_t)length) * bytes;
    char *before = malloc(all);
    if (!before) {
        fprintf(stderr, "uskor-blas: %s: no memory for a copy of %zu bytes\n", blas_names[c->slot], all);
        abort(); /* the caller has no way to learn of it */
    }
    for (size_t i = 0; i < all; i++)
        before[i] = ((const char *)a)[i];
    copy(c, before, a, lines, length);
    free(before);
}

static bool in_context(const struct blas_copy *c, int64_t lines, int64_t length)
{
    const size_t bytes = blas_real(c->slot) == REAL_DOUBLE ? sizeof(double) : sizeof(float);
    struct uskor *context = blas_context_take(false);
    if (!context)
        return false;
    const enum uskor_status status = uskor_transpose_strided(context, c->b, (size_t)c->ldb, 0, c->a, (size_t)c->lda, 0,
                                                             (size_t)lines, (size_t)length, bytes, 1);
    blas_context_give(context, false);
    return status == USKOR_OK;
}

bool blas_copy(const struct blas_copy *c)
{
    bool is_done;
    if (blas_passes_on(c->slot, check(c), &is_done) || is_done)
        return is_done;
    const int64_t lines = c->order == ORDER_ROWS ? c->rows : c->cols;
    const int64_t length = c->order == ORDER_ROWS ? c->cols : c->rows;
    const bool is_measured = c->b && c->alpha == 1 && c->trans == FLAG_YES &&
                             blas_is_ours(blas_real(c->slot), ROUTINE_OMATCOPY, 0, lines, length, 1, 0);
    const bool is_of_lines = c->b && blas_copies_lines() &&
                             blas_is_copy_of_lines(c->order, c->trans, c->rows, c->cols, c->lda, c->ldb, c->alpha);
    const bool is_ours = !blas_next(c->slot) || is_measured || is_of_lines;
    if (blas_is_verbose())
        blas_report(c->slot, c->trans == FLAG_YES ? "-,t" : "-,n", c->rows, c->cols, 1,
                    is_ours ? "uskor" : blas_where(c->slot), -1, -1);
    if (!is_ours || lines == 0 || length == 0 || (is_measured && in_context(c, lines, length)))
        return is_ours;
    if (is_of_lines)
        copy_lines(c, (size_t)lines, (size_t)length);
    else if (c->b)
        copy(c, c->a, c->b, lines, length);
    else
        copy_in_place(c, (void *)(uintptr_t)c->a, lines, length);
    return true;
}
