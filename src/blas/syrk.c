/* syrk: a small one is a whole product, of which one triangle is kept. */

#include "blas/beneath.h"
#include "blas/blas.h"
#include "blas/choice.h"
#include "blas/verbose.h"

#define BLOCK 64

static int check(const struct blas_syrk *c)
{
    const int64_t line = (c->order == ORDER_ROWS) == (c->trans == FLAG_NO) ? c->k : c->n;
    const int position = c->order != ORDER_ROWS && c->order != ORDER_COLUMNS ? 0
                         : c->upper == FLAG_WRONG                            ? 1
                         : c->trans == FLAG_WRONG                            ? 2
                         : c->n < 0                                          ? 3
                         : c->k < 0                                          ? 4
                         : c->lda < (line > 1 ? line : 1)                    ? 7
                         : c->ldc < (c->n > 1 ? c->n : 1)                    ? 10
                                                                             : -1;
    return position < 0 ? 0 : position + (blas_form(c->slot) == FORM_CBLAS);
}

/* Element [i][j] of the stored lines of C, in the triangle or not. By columns the lines are the columns. */
static bool is_kept(const struct blas_syrk *c, int64_t line, int64_t at)
{
    return line == at || (at > line) == ((c->order == ORDER_ROWS) == (c->upper == FLAG_YES));
}

#define KEEP(REAL)                                                                                              \
    static void keep_##REAL(const struct blas_syrk *c, const REAL *block, int64_t top, int64_t left, int64_t m, \
                            int64_t n)                                                                          \
    {                                                                                                           \
        const REAL beta = (REAL)c->beta;                                                                        \
        for (int64_t i = 0; i < m; i++) {                                                                       \
            REAL *to = (REAL *)c->c + (top + i) * c->ldc + left;                                                \
            for (int64_t j = 0; j < n; j++)                                                                     \
                if (is_kept(c, top + i, left + j))                                                              \
                    to[j] = beta == 0 ? block[i * BLOCK + j] : block[i * BLOCK + j] + beta * to[j];             \
        }                                                                                                       \
    }
KEEP(float)
KEEP(double)

/* A block of C's lines: the product of lines `top` … and `left` … of op(A). */
static void compute_block(const struct blas_syrk *c, int64_t top, int64_t left, int64_t m, int64_t n)
{
    _Alignas(64) char block[sizeof(double) * BLOCK * BLOCK];
    const bool is_double = blas_real(c->slot) == REAL_DOUBLE;
    const int64_t bytes = is_double ? sizeof(double) : sizeof(float);
    /* By rows, without a transposition, a line of op(A) is a row. */
    const bool lies = (c->order == ORDER_ROWS) == (c->trans == FLAG_NO);
    const int64_t step = lies ? c->lda : 1;
    const struct blas_gemm product = {
        .slot = c->slot,
        .order = ORDER_ROWS,
        .transa = lies ? FLAG_NO : FLAG_YES,
        .transb = lies ? FLAG_YES : FLAG_NO,
        .m = m,
        .n = n,
        .k = c->k,
        .lda = c->lda,
        .ldb = c->lda,
        .ldc = BLOCK,
        .alpha = c->alpha,
        .a = (const char *)c->a + top * step * bytes,
        .b = (const char *)c->a + left * step * bytes,
        .c = block,
    };
    blas_product(&product);
    if (is_double)
        keep_double(c, (const double *)(const void *)block, top, left, m, n);
    else
        keep_float(c, (const float *)(const void *)block, top, left, m, n);
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void compute(const struct blas_syrk *c)
{
    for (int64_t top = 0; top < c->n; top += BLOCK)
        for (int64_t left = 0; left < c->n; left += BLOCK)
            if (is_kept(c, top, left))
                compute_block(c, top, left, least(BLOCK, c->n - top), least(BLOCK, c->n - left));
}

/* No kernel of the lab has one triangle alone, so no tuned file tells of larger ones: they are passed on. */
bool blas_syrk(const struct blas_syrk *c)
{
    bool is_done;
    if (blas_passes_on(c->slot, check(c), &is_done) || is_done)
        return is_done;
    const bool is_ours = !blas_next(c->slot) || (c->n <= BLAS_SYRK_SIDE && c->k <= BLAS_SYRK_SIDE);
    if (blas_is_verbose())
        blas_report(c->slot, c->trans == FLAG_YES ? "-,t" : "-,n", c->n, c->n, c->k,
                    is_ours ? "uskor" : blas_where(c->slot), -1, -1);
    if (is_ours && c->n > 0 && !((c->alpha == 0 || c->k == 0) && c->beta == 1))
        compute(c);
    return is_ours;
}
