/* Small products, in the caller's own function: such a call has some 10 ns, and constants as slot, order and flags. */
#pragma once

#include <string.h>

#include "blas/beneath.h"
#include "blas/blas.h"
#include "blas/choice.h"
#include "kernels/matmul/packed.h"

static inline struct packed_view blas_small_view(const void *data, uint64_t pitch, bool turned)
{
    return (struct packed_view){data, turned ? 1 : pitch, turned ? pitch : 1};
}

/* Whether small products need no further look: nobody wants a report, and the function beneath is known and serves. */
static inline bool blas_is_settled(size_t slot)
{
    return atomic_load_explicit(&blas_small, memory_order_acquire) & BLAS_READY && blas_next(slot) &&
           !blas_is_refused(blas_family(slot));
}

/* A flag of CBLAS, 111 to 113, or a letter of Fortran's, as a bit: whether the matrix is transposed. Wrong ones are
 * seen later, here or beneath. */
static inline unsigned blas_bit_of_number(int flag)
{
    return (unsigned)flag >> 4 & 1;
}

static inline unsigned blas_bit_of_letter(char letter)
{
    return ~(unsigned)letter >> 3 & 1;
}

/* Whether all sides have a class. */
static inline bool blas_is_classed(uint64_t m, uint64_t n, uint64_t k)
{
    return (m | n | k) < BLAS_CLASSED;
}

/* How a call of CBLAS is turned, as blas_ways has it. Other numbers come out as some of these: the call's own way looks
 * again. */
static inline unsigned blas_turns(int order, int ta, int tb)
{
    return (4 * (unsigned)order + 2 * (unsigned)ta + (unsigned)tb - (4 * 101 + 3 * 111)) & 7;
}

/* The way of a product whose sides have a class, once that is settled: without branches, for which gcc would save
 * registers and move the arguments on the stack. */
static inline __attribute__((always_inline)) size_t blas_way(size_t slot, unsigned turns, uint64_t m, uint64_t n,
                                                             uint64_t k)
{
    const size_t place =
        turns * (BLAS_CLASSES * BLAS_CLASSES * BLAS_CLASSES) + blas_class[0][m] + blas_class[1][n] + blas_class[2][k];
    return atomic_load_explicit(&blas_ways[blas_real(slot)][place], memory_order_relaxed);
}

/* What of a flag does not fit a way in which the matrix is transposed, or not; 0: it does. */
static inline unsigned blas_misfit_of_number(int flag, bool turned)
{
    return turned ? ((unsigned)flag - 112) & ~1u : (unsigned)flag ^ 111;
}

static inline unsigned blas_misfit_of_letter(char letter, bool turned)
{
    return blas_flag_of_letter(letter) ^ (turned ? FLAG_YES : FLAG_NO);
}

/* The product by rows of a call in a way of our own: by columns it is the transpose, whose factors change places.
 * Whether the call is right but for its flags, and has nothing more to look at. Sides are below BLAS_CLASSED: too short
 * a pitch leaves one of the two highest bits. */
static inline __attribute__((always_inline)) bool blas_small_product(unsigned turns, const struct blas_gemm *p,
                                                                     struct packed_product *made)
{
    const bool by_rows = !(turns & 4), turns_a = turns >> 1 & 1, turns_b = turns & 1;
    const bool left = by_rows ? turns_a : turns_b, right = by_rows ? turns_b : turns_a;
    const uint64_t m = (uint64_t)(by_rows ? p->m : p->n), n = (uint64_t)(by_rows ? p->n : p->m), k = (uint64_t)p->k;
    const uint64_t lda = (uint64_t)(by_rows ? p->lda : p->ldb), ldb = (uint64_t)(by_rows ? p->ldb : p->lda);
    const uint64_t short_by = (lda - (left ? m : k)) | (ldb - (right ? k : n)) | ((uint64_t)p->ldc - n);
    *made = (struct packed_product){
        .m = m,
        .n = n,
        .k = k,
        .a = blas_small_view(by_rows ? p->a : p->b, lda, left),
        .b = blas_small_view(by_rows ? p->b : p->a, ldb, right),
        .alpha = p->alpha,
        .beta = p->beta,
        .c = p->c,
        .ldc = (size_t)p->ldc,
    };
    return ((short_by >> 62) | (unsigned)(p->order ^ (by_rows ? ORDER_ROWS : ORDER_COLUMNS))) == 0 && p->alpha != 0;
}

/* ---- short vectors, where blas_small has `wanted` --------------------------------------------------------------
 */

/* Whether short calls of a name need no further look: settled by a look at one of them. */
extern __attribute__((visibility("hidden"))) atomic_bool blas_is_quick[BLAS_SLOTS];

static inline bool blas_computes_short(size_t slot, unsigned wanted)
{
    if (wanted & BLAS_READY)
        return atomic_load_explicit(&blas_is_quick[slot], memory_order_acquire);
    return (atomic_load_explicit(&blas_small, memory_order_acquire) & wanted) == wanted && blas_next(slot) &&
           !blas_is_refused(blas_family(slot));
}

/* Whether this instruction set has what follows. */
bool blas_begin_short(void);

/* Small products with a side of 1, as gemv where that is faster. */
void blas_vector_float(struct packed_product *p);
void blas_vector_double(struct packed_product *p);

/* The sum of x[i]·y[i], in the elements' type. */
float blas_short_dot_float(const float *x, const float *y, size_t count);
double blas_short_dot_double(const double *x, const double *y, size_t count);

static inline bool blas_is_short_dot(size_t slot, unsigned wanted, int64_t n, int64_t incx, int64_t incy)
{
    return (uint64_t)(n - 1) < BLAS_SHORT_DOT && incx == 1 && incy == 1 && blas_computes_short(slot, wanted);
}

/* y = alpha·A·x + beta·y, or of A', by A's lines: what follows one another in memory. */
#define BLAS_OF_LINES(REAL) \
    size_t lines, size_t length, size_t pitch, REAL alpha, REAL beta, const REAL *a, const REAL *x, REAL *y
void blas_dots_of_lines_float(BLAS_OF_LINES(float));
void blas_dots_of_lines_double(BLAS_OF_LINES(double));
void blas_sum_of_lines_float(BLAS_OF_LINES(float));
void blas_sum_of_lines_double(BLAS_OF_LINES(double));

/* Whether a gemv that is right has few enough elements; without branches, for which gcc would save registers. */
static inline bool blas_is_few(size_t slot, bool by_rows, bool of_dots, int64_t m, int64_t n)
{
    const uint64_t length = (uint64_t)(by_rows ? n : m);
    const uint64_t most =
        atomic_load_explicit(&blas_gemv_most[blas_real(slot)][of_dots][length < 16 ? length : 0], memory_order_relaxed);
    return (uint64_t)m * (uint64_t)n <= most;
}

/* A wrong call is left to blas_gemv. */
static inline bool blas_is_short_gemv(size_t slot, unsigned wanted, int order, enum blas_flag trans, int64_t m,
                                      int64_t n, int64_t lda, int64_t incx, int64_t incy, double alpha)
{
    const bool by_rows = order == ORDER_ROWS;
    return incx == 1 && incy == 1 && ((uint64_t)(m - 1) | (uint64_t)(n - 1)) < BLAS_SHORT_GEMV &&
           blas_is_few(slot, by_rows, by_rows == (trans == FLAG_NO), m, n) && (by_rows || order == ORDER_COLUMNS) &&
           trans >= 0 && lda >= (by_rows ? n : m) && alpha != 0 && blas_computes_short(slot, wanted);
}

/* ---- copies ------------------------------------------------------------------------------------------------------ */

/* B = alpha·A by lines, which follow one another in memory; alpha is not 0. */
#define BLAS_COPY_OF_LINES(REAL) size_t lines, size_t length, size_t lda, size_t ldb, REAL alpha, const REAL *a, REAL *b
void blas_copy_wide_float(BLAS_COPY_OF_LINES(float));
void blas_copy_wide_double(BLAS_COPY_OF_LINES(double));

/* Whether copies that are not turned are computed here. */
bool blas_copies_lines(void);

/* A wrong copy is left to blas_copy. */
static inline bool blas_is_copy_of_lines(int order, enum blas_flag trans, int64_t rows, int64_t cols, int64_t lda,
                                         int64_t ldb, double alpha)
{
    const int64_t length = order == ORDER_ROWS ? cols : rows;
    return (order == ORDER_ROWS || order == ORDER_COLUMNS) && trans == FLAG_NO && rows > 0 && cols > 0 &&
           lda >= length && ldb >= length && alpha != 0;
}
