/* gemv and dot. */
#include "blas/beneath.h"
#include "blas/blas.h"
#include "blas/choice.h"
#include "blas/contexts.h"
#include "blas/small.h"
#include "blas/verbose.h"
#include "kernels/matmul/packed.h"

/* ---- gemv -------------------------------------------------------------------------------------------------------- */

static int check(const struct blas_gemv *c)
{
    const int64_t line = c->order == ORDER_ROWS ? c->n : c->m;
    const int position = c->order != ORDER_ROWS && c->order != ORDER_COLUMNS ? 0
                         : c->trans == FLAG_WRONG                            ? 1
                         : c->m < 0                                          ? 2
                         : c->n < 0                                          ? 3
                         : c->lda < (line > 1 ? line : 1)                    ? 6
                         : c->incx == 0                                      ? 8
                         : c->incy == 0                                      ? 11
                                                                             : -1;
    return position < 0 ? 0 : position + (blas_form(c->slot) == FORM_CBLAS);
}

/* The first element in order: with a negative step the last one in memory. */
static int64_t first_of(int64_t count, int64_t step)
{
    return step < 0 ? (1 - count) * step : 0;
}

#define BLOCK 64

/* Vectors of any step, in pieces: y' = alpha·x'·op(A)' + beta·y' is a product of one row. */
#define COMPUTE(REAL)                                                                                            \
    static void take_##REAL(REAL *to, const void *from, int64_t count, int64_t step, int64_t begin, int64_t all) \
    {                                                                                                            \
        const REAL *at = (const REAL *)from + first_of(all, step) + begin * step;                                \
        for (int64_t i = 0; i < count; i++)                                                                      \
            to[i] = at[i * step];                                                                                \
    }                                                                                                            \
    static void put_##REAL(void *to, const REAL *from, int64_t count, int64_t step, int64_t begin, int64_t all)  \
    {                                                                                                            \
        REAL *at = (REAL *)to + first_of(all, step) + begin * step;                                              \
        for (int64_t i = 0; i < count; i++)                                                                      \
            at[i * step] = from[i];                                                                              \
    }                                                                                                            \
    static void piece_##REAL(const struct blas_gemv *c, const struct matrix *a, int64_t row, int64_t rows)       \
    {                                                                                                            \
        REAL y[BLOCK], x[BLOCK];                                                                                 \
        if (c->beta != 0)                                                                                        \
            take_##REAL(y, c->y, rows, c->incy, row, a->rows);                                                   \
        int64_t l = 0;                                                                                           \
        do {                                                                                                     \
            const int64_t depth = least(BLOCK, a->columns - l);                                                  \
            take_##REAL(x, c->x, depth, c->incx, l, a->columns);                                                 \
            struct packed_product product = {                                                                    \
                .m = 1,                                                                                          \
                .n = (size_t)rows,                                                                               \
                .k = (size_t)depth,                                                                              \
                .a = {x, BLOCK, 1},                                                                              \
                .b = {(const REAL *)c->a + row * a->down + l * a->across, (size_t)a->across, (size_t)a->down},   \
                .alpha = c->alpha,                                                                               \
                .beta = l == 0 ? c->beta : 1,                                                                    \
                .c = y,                                                                                          \
                .ldc = BLOCK,                                                                                    \
            };                                                                                                   \
            packed_level(sizeof(REAL) == sizeof(double))->direct(&product);                                      \
            l += BLOCK;                                                                                          \
        } while (l < a->columns);                                                                                \
        put_##REAL(c->y, y, rows, c->incy, row, a->rows);                                                        \
    }

/* op(A), by steps. */
struct matrix {
    int64_t rows, columns, down, across;
};

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

COMPUTE(float)
COMPUTE(double)

/* With alpha = 0 A and x are not read. */
static void compute_gemv(const struct blas_gemv *c)
{
    const bool turned = c->trans == FLAG_YES, lies = (c->order == ORDER_ROWS) != turned;
    const struct matrix a = {turned ? c->n : c->m,
                             c->alpha == 0 ? 0
                             : turned      ? c->m
                                           : c->n,
                             lies ? c->lda : 1, lies ? 1 : c->lda};
    for (int64_t row = 0; row < a.rows; row += BLOCK)
        if (blas_real(c->slot) == REAL_DOUBLE)
            piece_double(c, &a, row, least(BLOCK, a.rows - row));
        else
            piece_float(c, &a, row, least(BLOCK, a.rows - row));
}

/* Where a report is wanted: else the entry computes it (blas/small.h). */
static bool is_short_gemv(const struct blas_gemv *c)
{
    return blas_is_short_gemv(c->slot, BLAS_SHORT, c->order, c->trans, c->m, c->n, c->lda, c->incx, c->incy, c->alpha);
}

#define SHORT_GEMV(REAL, WORK)                                                                             \
    blas_##WORK##_##REAL((size_t)(by_rows ? c->m : c->n), (size_t)(by_rows ? c->n : c->m), (size_t)c->lda, \
                         (REAL)c->alpha, (REAL)c->beta, c->a, c->x, c->y)
static void short_gemv(const struct blas_gemv *c)
{
    const bool by_rows = c->order == ORDER_ROWS, dots = by_rows == (c->trans == FLAG_NO);
    if (blas_real(c->slot) == REAL_DOUBLE)
        dots ? SHORT_GEMV(double, dots_of_lines) : SHORT_GEMV(double, sum_of_lines);
    else
        dots ? SHORT_GEMV(float, dots_of_lines) : SHORT_GEMV(float, sum_of_lines);
}

/* A product of the lab with one column was measured as a product, and decides nothing here. */
bool blas_gemv(const struct blas_gemv *c)
{
    bool is_done;
    if (blas_passes_on(c->slot, check(c), &is_done) || is_done)
        return is_done;
    const bool is_short = is_short_gemv(c), is_ours = !blas_next(c->slot) || is_short;
    if (blas_is_verbose())
        blas_report(c->slot, c->trans == FLAG_YES ? "-,t" : "-,n", c->m, 1, c->n,
                    is_ours ? "uskor" : blas_where(c->slot), -1, -1);
    if (is_short)
        short_gemv(c);
    else if (is_ours && c->m > 0 && c->n > 0 && !(c->alpha == 0 && c->beta == 1))
        compute_gemv(c);
    return is_ours;
}

/* ---- products with a side of 1 ------------------------------------------------------------------------------------
 */

/* C is one column, or one row: a product of the other factor's lines with the vector. Dot products where the lines lie
 * along the depth; where they lie along C, sums of them if C has at most `few` elements, of which direct tiles would
 * have a single sum. */
#define VECTOR(REAL, few)                                                                                            \
    void blas_vector_##REAL(struct packed_product *p)                                                                \
    {                                                                                                                \
        const bool is_column = p->n == 1 && p->ldc == 1;                                                             \
        const struct packed_view lines = is_column ? p->a : (struct packed_view){p->b.data, p->b.across, p->b.down}; \
        const size_t count = is_column ? p->m : p->n, step = is_column ? p->b.down : p->a.across;                    \
        const void *x = is_column ? p->b.data : p->a.data;                                                           \
        if ((!is_column && p->m > 1) || (step != 1 && p->k > 1) || (lines.across != 1 && count > (few)))             \
            packed_level(sizeof(REAL) == sizeof(double))->direct(p);                                                 \
        else if (lines.across == 1)                                                                                  \
            blas_dots_of_lines_##REAL(count, p->k, lines.down, (REAL)p->alpha, (REAL)p->beta, lines.data, x, p->c);  \
        else                                                                                                         \
            blas_sum_of_lines_##REAL(p->k, count, lines.across, (REAL)p->alpha, (REAL)p->beta, lines.data, x, p->c); \
    }
VECTOR(float, 16)
VECTOR(double, 8)

/* ---- dot --------------------------------------------------------------------------------------------------------- */

/* Sums in the elements' type, as the reference BLAS; several of them, so that additions do not wait. */
#define SUMS 8
#define DOT(REAL)                                                                                                   \
    static double dot_##REAL(const struct blas_dot *c)                                                              \
    {                                                                                                               \
        const REAL *x = (const REAL *)c->x + first_of(c->n, c->incx);                                               \
        const REAL *y = (const REAL *)c->y + first_of(c->n, c->incy);                                               \
        REAL sums[SUMS] = {0};                                                                                      \
        for (int64_t i = 0; i < c->n; i++)                                                                          \
            sums[i % SUMS] += x[i * c->incx] * y[i * c->incy];                                                      \
        return (double)(((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]))); \
    }
DOT(float)
DOT(double)

static bool dot_in_context(const struct blas_dot *c, double *result)
{
    const enum uskor_number type = blas_real(c->slot) == REAL_DOUBLE ? USKOR_FLOAT64 : USKOR_FLOAT32;
    struct uskor *context = c->incx == 1 && c->incy == 1 ? blas_context_take(false) : NULL;
    if (!context)
        return false;
    const enum uskor_status status = uskor_dot(context, result, c->x, c->y, (size_t)c->n, type, USKOR_SUM_FAST);
    blas_context_give(context, false);
    return status == USKOR_OK;
}

bool blas_dot(const struct blas_dot *c, double *result)
{
    bool is_done;
    if (blas_passes_on(c->slot, 0, &is_done))
        return false;
    const bool is_measured =
        c->n > 0 && c->incx == 1 && c->incy == 1 && blas_is_ours(blas_real(c->slot), ROUTINE_DOT, 0, 1, 1, c->n, 0);
    const bool is_short = blas_is_short_dot(c->slot, BLAS_SHORT, c->n, c->incx, c->incy);
    const bool is_ours = !blas_next(c->slot) || is_short || is_measured;
    if (blas_is_verbose())
        blas_report(c->slot, "-,-", 1, 1, c->n, is_ours ? "uskor" : blas_where(c->slot), -1, -1);
    if (is_short)
        *result = blas_real(c->slot) == REAL_DOUBLE ? blas_short_dot_double(c->x, c->y, (size_t)c->n)
                                                    : (double)blas_short_dot_float(c->x, c->y, (size_t)c->n);
    else if (is_ours && !(is_measured && dot_in_context(c, result)))
        *result = blas_real(c->slot) == REAL_DOUBLE ? dot_double(c) : dot_float(c);
    return is_ours;
}
