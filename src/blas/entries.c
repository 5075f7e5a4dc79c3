/* All names that this BLAS defines (names.h). A call that is passed on goes at once to the function beneath, with its
 * arguments as they came: a look at its sizes and a jump. */
#include "blas/beneath.h"
#include "blas/blas.h"
#include "blas/choice.h"
#include "blas/small.h"

/* Of the reference CBLAS, which Debian's test programs take from their BLAS. */
BLAS_API int RowMajorStrg, CBLAS_CallFromC;

/* Whether to look at a call further: its sides are short, or the function beneath is not known yet. */
static inline bool looks(size_t slot, int64_t m, int64_t n, int64_t k)
{
    const uint64_t limit =
        atomic_load_explicit(&blas_limits[blas_real(slot)][blas_routine(slot)], memory_order_relaxed);
    return ((uint64_t)m <= limit && (uint64_t)n <= limit && (uint64_t)k <= limit) || !blas_next(slot);
}

/* Hidden lengths of Fortran's characters are not parameters: a jump leaves them where the caller put them. CBLAS's
 * integers are taken as 64 bits whatever they are, so that what is passed on has all its bits. The look is a function
 * apart: the jump needs no registers saved. SHORT returns where a call is so short that it is computed at once. */
#define PASS_ON(NAME, SLOT) ((__typeof__(&NAME))blas_next(SLOT))
#define BENEATH_OF(NAME, SLOT) ((__typeof__(&NAME))blas_beneath_of(SLOT))
#define ENTRY(RESULT, NAME, SLOT, SHORT, LOOKS, PARAMETERS, ARGUMENTS, LOOK) \
    BLAS_API RESULT NAME PARAMETERS;                                         \
    static __attribute__((noinline)) RESULT NAME##_looked PARAMETERS         \
    {                                                                        \
        LOOK;                                                                \
        return BENEATH_OF(NAME, SLOT) ARGUMENTS;                             \
    }                                                                        \
    RESULT NAME PARAMETERS                                                   \
    {                                                                        \
        SHORT;                                                               \
        if (LOOKS)                                                           \
            return NAME##_looked ARGUMENTS;                                  \
        return PASS_ON(NAME, SLOT) ARGUMENTS;                                \
    }

/* The same with a single jump, by a table of two: with two of them, gcc saves registers and moves the arguments on the
 * stack. Short calls come to SHORT; all others to the function beneath, as soon as
 * it is known that nothing beyond MOST is computed here. Sides up to MOST are short. */
#define WAYS_ENTRY(RESULT, NAME, SLOT, IS_SHORT, MOST, HAS_SHORT, SHORT, LOOKS, PARAMETERS, ARGUMENTS, LOOK) \
    BLAS_API RESULT NAME PARAMETERS;                                                                         \
    static _Atomic(__typeof__(&NAME)) NAME##_ways[2];                                                        \
    static __attribute__((noinline)) RESULT NAME##_looked PARAMETERS                                         \
    {                                                                                                        \
        LOOK;                                                                                                \
        return BENEATH_OF(NAME, SLOT) ARGUMENTS;                                                             \
    }                                                                                                        \
    static __attribute__((noinline)) RESULT NAME##_long PARAMETERS                                           \
    {                                                                                                        \
        if (LOOKS)                                                                                           \
            return NAME##_looked ARGUMENTS;                                                                  \
        if (passes_beyond(SLOT, MOST)) {                                                                     \
            atomic_store_explicit(&NAME##_ways[0], PASS_ON(NAME, SLOT), memory_order_relaxed);               \
            if (!(HAS_SHORT))                                                                                \
                atomic_store_explicit(&NAME##_ways[1], PASS_ON(NAME, SLOT), memory_order_relaxed);           \
        }                                                                                                    \
        return PASS_ON(NAME, SLOT) ARGUMENTS;                                                                \
    }                                                                                                        \
    static __attribute__((noinline)) RESULT NAME##_short PARAMETERS                                          \
    {                                                                                                        \
        SHORT;                                                                                               \
        return NAME##_long ARGUMENTS;                                                                        \
    }                                                                                                        \
    static _Atomic(__typeof__(&NAME)) NAME##_ways[2] = {NAME##_long, NAME##_short};                          \
    RESULT NAME PARAMETERS                                                                                   \
    {                                                                                                        \
        return atomic_load_explicit(&NAME##_ways[IS_SHORT], memory_order_relaxed) ARGUMENTS;                 \
    }

/* Whether all calls with a side above `most` are passed on: the settings are read, and nobody wants a report. */
static inline bool passes_beyond(size_t slot, uint64_t most)
{
    return atomic_load_explicit(&blas_small, memory_order_acquire) & BLAS_READY &&
           atomic_load_explicit(&blas_limits[blas_real(slot)][blas_routine(slot)], memory_order_relaxed) <= most;
}

#define OF_TYPE(REAL, NAME) _Generic((REAL)0, float : NAME##_float, double : NAME##_double)

/* ---- gemm -------------------------------------------------------------------------------------------------------- */

/* A small product in one of its eight ways: order and flags are constants, so that few instructions come before it. A
 * call that they do not fit is looked at again from what was made of it: its own arguments would be moved on the stack.
 */
#define SMALL_PRODUCT(TURNS, NAME, SLOT, MISFIT, TA, TB, PARAMETERS, ...)                \
    static void NAME##_##TURNS PARAMETERS                                                \
    {                                                                                    \
        const struct blas_gemm p = {SLOT, __VA_ARGS__};                                  \
        const unsigned misfit = MISFIT(TA, TURNS >> 1 & 1) | MISFIT(TB, TURNS & 1);      \
        struct packed_product made;                                                      \
        if (__builtin_expect(blas_small_product(TURNS, &p, &made) && misfit == 0, true)) \
            blas_direct[blas_real(SLOT)][(p.m == 1) | (p.n == 1)](&made);                \
        else                                                                             \
            blas_gemm_again(SLOT, TURNS, p.order, TA, TB, &made);                        \
    }
#define SET_WAY(TURNS, NAME) atomic_store_explicit(&NAME##_ways[TURNS], NAME##_##TURNS, memory_order_release);
#define LOOK_AT_WAY(TURNS, NAME) NAME##_looked,
#define EACH_WAY(WORK, ...) \
    WORK(0, __VA_ARGS__)    \
    WORK(1, __VA_ARGS__)    \
    WORK(2, __VA_ARGS__)    \
    WORK(3, __VA_ARGS__) WORK(4, __VA_ARGS__) WORK(5, __VA_ARGS__) WORK(6, __VA_ARGS__) WORK(7, __VA_ARGS__)

/* A single jump by the sides, and of small products one more by their way (blas/choice.h): to the function beneath, or
 * to what computes it here. All are NAME_looked until the settings are read and the function beneath is found. */
#define PRODUCT_ENTRY(NAME, SLOT, IS_CLASSED, MISFIT, TA, TB, M, N, K, WAY, PARAMETERS, ARGUMENTS, ...)           \
    BLAS_API void NAME PARAMETERS;                                                                                \
    typedef __typeof__(&NAME) NAME##_any;                                                                         \
    static _Atomic(NAME##_any) NAME##_sizes[2], NAME##_ways[WAY_COUNT];                                           \
    EACH_WAY(SMALL_PRODUCT, NAME, SLOT, MISFIT, TA, TB, PARAMETERS, __VA_ARGS__)                                  \
    static __attribute__((noinline)) void NAME##_looked PARAMETERS                                                \
    {                                                                                                             \
        const bool is_done = blas_gemm(&(const struct blas_gemm){SLOT, __VA_ARGS__});                             \
        if (blas_is_settled(SLOT)) {                                                                              \
            if (passes_beyond(SLOT, BLAS_SMALL)) {                                                                \
                atomic_store_explicit(&NAME##_sizes[0], PASS_ON(NAME, SLOT), memory_order_relaxed);               \
                atomic_store_explicit(&NAME##_ways[WAY_BEYOND], PASS_ON(NAME, SLOT), memory_order_relaxed);       \
            }                                                                                                     \
            atomic_store_explicit(&NAME##_ways[WAY_BENEATH], PASS_ON(NAME, SLOT), memory_order_release);          \
            EACH_WAY(SET_WAY, NAME)                                                                               \
        }                                                                                                         \
        if (!is_done)                                                                                             \
            BENEATH_OF(NAME, SLOT) ARGUMENTS;                                                                     \
    }                                                                                                             \
    static __attribute__((noinline)) void NAME##_long PARAMETERS                                                  \
    {                                                                                                             \
        if (looks(SLOT, M, N, K))                                                                                 \
            NAME##_looked ARGUMENTS;                                                                              \
        else                                                                                                      \
            PASS_ON(NAME, SLOT) ARGUMENTS;                                                                        \
    }                                                                                                             \
    static __attribute__((noinline)) void NAME##_small PARAMETERS                                                 \
    {                                                                                                             \
        atomic_load_explicit(&NAME##_ways[WAY], memory_order_relaxed) ARGUMENTS;                                  \
    }                                                                                                             \
    static _Atomic(NAME##_any) NAME##_sizes[2] = {NAME##_long, NAME##_small};                                     \
    static _Atomic(NAME##_any) NAME##_ways[WAY_COUNT] = {EACH_WAY(LOOK_AT_WAY, NAME) NAME##_looked, NAME##_long}; \
    void NAME PARAMETERS                                                                                          \
    {                                                                                                             \
        atomic_load_explicit(&NAME##_sizes[IS_CLASSED], memory_order_relaxed) ARGUMENTS;                          \
    }

#define FORTRAN_GEMM(NAME, SLOT, BITS, INT, REAL)                                                                    \
    PRODUCT_ENTRY(                                                                                                   \
        NAME, SLOT, blas_is_classed((uint64_t)*m, (uint64_t)*n, (uint64_t)*k), blas_misfit_of_letter, *ta, *tb, *m,  \
        *n, *k,                                                                                                      \
        blas_way(SLOT, 4 | blas_bit_of_letter(*ta) << 1 | blas_bit_of_letter(*tb), (uint##BITS##_t) * m,             \
                 (uint##BITS##_t) * n, (uint##BITS##_t) * k),                                                        \
        (const char *ta, const char *tb, const INT *m, const INT *n, const INT *k, const REAL *alpha, const REAL *a, \
         const INT *lda, const REAL *b, const INT *ldb, const REAL *beta, REAL *c, const INT *ldc),                  \
        (ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc), ORDER_COLUMNS, blas_flag_of_letter(*ta),             \
        blas_flag_of_letter(*tb), *m, *n, *k, *lda, *ldb, *ldc, (double)*alpha, (double)*beta, a, b, c, 1, 0, 0, 0)
#define CBLAS_GEMM(NAME, SLOT, BITS, INT, REAL)                                                                        \
    PRODUCT_ENTRY(NAME, SLOT, blas_is_classed((uint##BITS##_t)m, (uint##BITS##_t)n, (uint##BITS##_t)k),                \
                  blas_misfit_of_number, ta, tb, (INT)m, (INT)n, (INT)k,                                               \
                  blas_way(SLOT, blas_turns(order, ta, tb), (uint##BITS##_t)m, (uint##BITS##_t)n, (uint##BITS##_t)k),  \
                  (int order, int ta, int tb, int64_t m, int64_t n, int64_t k, REAL alpha, const REAL *a, int64_t lda, \
                   const REAL *b, int64_t ldb, REAL beta, REAL *c, int64_t ldc),                                       \
                  (order, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc), order, blas_flag_of_number(ta),       \
                  blas_flag_of_number(tb), (INT)m, (INT)n, (INT)k, (INT)lda, (INT)ldb, (INT)ldc, (double)alpha,        \
                  (double)beta, a, b, c, 1, 0, 0, 0)

/* ---- batches ----------------------------------------------------------------------------------------------------- */

#define FORTRAN_GEMM_BATCH(NAME, SLOT, BITS, INT, REAL)                                                            \
    ENTRY(void, NAME, SLOT, (void)0, looks(SLOT, 0, 0, 0),                                                         \
          (const char *ta, const char *tb, const INT *m, const INT *n, const INT *k, const REAL *alpha,            \
           const void *const *a, const INT *lda, const void *const *b, const INT *ldb, const REAL *beta,           \
           void *const *c, const INT *ldc, const INT *count, const INT *sizes),                                    \
          (ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, count, sizes),                                    \
          if (blas_gemm_groups(&(const struct blas_groups){SLOT, BITS, ORDER_COLUMNS, ta, tb, m, n, k, alpha, lda, \
                                                           ldb, beta, ldc, sizes, a, b, c, *count})) return )
#define CBLAS_GEMM_BATCH(NAME, SLOT, BITS, INT, REAL)                                                                 \
    ENTRY(void, NAME, SLOT, (void)0, looks(SLOT, 0, 0, 0),                                                            \
          (int order, const int *ta, const int *tb, const INT *m, const INT *n, const INT *k, const REAL *alpha,      \
           const void *const *a, const INT *lda, const void *const *b, const INT *ldb, const REAL *beta,              \
           void *const *c, const INT *ldc, int64_t count, const INT *sizes),                                          \
          (order, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, count, sizes),                                \
          if (blas_gemm_groups(&(const struct blas_groups){SLOT, BITS, order, ta, tb, m, n, k, alpha, lda, ldb, beta, \
                                                           ldc, sizes, a, b, c, (INT)count})) return )
#define FORTRAN_GEMM_BATCH_STRIDED(NAME, SLOT, BITS, INT, REAL)                                                        \
    ENTRY(void, NAME, SLOT, (void)0, looks(SLOT, *m, *n, *k),                                                          \
          (const char *ta, const char *tb, const INT *m, const INT *n, const INT *k, const REAL *alpha, const REAL *a, \
           const INT *lda, const INT *step_a, const REAL *b, const INT *ldb, const INT *step_b, const REAL *beta,      \
           REAL *c, const INT *ldc, const INT *step_c, const INT *batch),                                              \
          (ta, tb, m, n, k, alpha, a, lda, step_a, b, ldb, step_b, beta, c, ldc, step_c, batch),                       \
          if (blas_gemm_strided(&(const struct blas_gemm){                                                             \
                  SLOT, ORDER_COLUMNS, blas_flag_of_letter(*ta), blas_flag_of_letter(*tb), *m, *n, *k, *lda, *ldb,     \
                  *ldc, (double)*alpha, (double)*beta, a, b, c, *batch, *step_a, *step_b, *step_c})) return )
#define CBLAS_GEMM_BATCH_STRIDED(NAME, SLOT, BITS, INT, REAL)                                                          \
    ENTRY(void, NAME, SLOT, (void)0, looks(SLOT, (INT)m, (INT)n, (INT)k),                                              \
          (int order, int ta, int tb, int64_t m, int64_t n, int64_t k, REAL alpha, const REAL *a, int64_t lda,         \
           int64_t step_a, const REAL *b, int64_t ldb, int64_t step_b, REAL beta, REAL *c, int64_t ldc,                \
           int64_t step_c, int64_t batch),                                                                             \
          (order, ta, tb, m, n, k, alpha, a, lda, step_a, b, ldb, step_b, beta, c, ldc, step_c, batch),                \
          if (blas_gemm_strided(                                                                                       \
                  &(const struct blas_gemm){SLOT, order, blas_flag_of_number(ta), blas_flag_of_number(tb), (INT)m,     \
                                            (INT)n, (INT)k, (INT)lda, (INT)ldb, (INT)ldc, (double)alpha, (double)beta, \
                                            a, b, c, (INT)batch, (INT)step_a, (INT)step_b, (INT)step_c})) return )

/* ---- syrk -------------------------------------------------------------------------------------------------------- */

static inline enum blas_flag upper_of_letter(char letter)
{
    const char upper = (char)(letter & ~0x20);
    return upper == 'U' ? FLAG_YES : upper == 'L' ? FLAG_NO : FLAG_WRONG;
}

static inline enum blas_flag upper_of_number(int value)
{
    return value == 121 ? FLAG_YES : value == 122 ? FLAG_NO : FLAG_WRONG;
}

static inline bool is_short_syrk(int64_t n, int64_t k)
{
    return ((uint64_t)n <= BLAS_SYRK_SIDE) & ((uint64_t)k <= BLAS_SYRK_SIDE);
}

#define FORTRAN_SYRK(NAME, SLOT, BITS, INT, REAL)                                                                  \
    WAYS_ENTRY(void, NAME, SLOT, is_short_syrk(*n, *k), BLAS_SYRK_SIDE, true, (void)0, looks(SLOT, *n, *n, *k),    \
               (const char *uplo, const char *trans, const INT *n, const INT *k, const REAL *alpha, const REAL *a, \
                const INT *lda, const REAL *beta, REAL *c, const INT *ldc),                                        \
               (uplo, trans, n, k, alpha, a, lda, beta, c, ldc),                                                   \
               if (blas_syrk(&(const struct blas_syrk){SLOT, ORDER_COLUMNS, upper_of_letter(*uplo),                \
                                                       blas_flag_of_letter(*trans), *n, *k, *lda, *ldc,            \
                                                       (double)*alpha, (double)*beta, a, c})) return )
#define CBLAS_SYRK(NAME, SLOT, BITS, INT, REAL)                                                                        \
    WAYS_ENTRY(void, NAME, SLOT, is_short_syrk((INT)n, (INT)k), BLAS_SYRK_SIDE, true, (void)0,                         \
               looks(SLOT, (INT)n, (INT)n, (INT)k),                                                                    \
               (int order, int uplo, int trans, int64_t n, int64_t k, REAL alpha, const REAL *a, int64_t lda,          \
                REAL beta, REAL *c, int64_t ldc),                                                                      \
               (order, uplo, trans, n, k, alpha, a, lda, beta, c, ldc),                                                \
               if (blas_syrk(&(const struct blas_syrk){SLOT, order, upper_of_number(uplo), blas_flag_of_number(trans), \
                                                       (INT)n, (INT)k, (INT)lda, (INT)ldc, (double)alpha,              \
                                                       (double)beta, a, c})) return )

/* ---- vectors ----------------------------------------------------------------------------------------------------- */

#define SHORT_DOT(REAL, SLOT, N, INCX, INCY, X, Y)                       \
    if (blas_is_short_dot(SLOT, BLAS_READY | BLAS_SHORT, N, INCX, INCY)) \
    return OF_TYPE(REAL, blas_short_dot)(X, Y, (size_t)(N))
#define LOOK_AT_DOT(REAL, SLOT, N, INCX, INCY, X, Y)                            \
    double result;                                                              \
    if (blas_dot(&(const struct blas_dot){SLOT, N, INCX, INCY, X, Y}, &result)) \
    return (REAL)result

#define OF_LINES(REAL, NAME, ORDER, M, N, LDA, ALPHA, BETA, A, X, Y)                                                  \
    OF_TYPE(REAL, NAME)                                                                                               \
    ((size_t)((ORDER) == ORDER_ROWS ? M : N), (size_t)((ORDER) == ORDER_ROWS ? N : M), (size_t)(LDA), ALPHA, BETA, A, \
     X, Y)
#define SHORT_GEMV(REAL, SLOT, ORDER, TRANS, M, N, LDA, INCX, INCY, ALPHA, BETA, A, X, Y)                          \
    if (blas_is_short_gemv(SLOT, BLAS_READY | BLAS_SHORT, ORDER, TRANS, M, N, LDA, INCX, INCY, (double)(ALPHA))) { \
        if (((ORDER) == ORDER_ROWS) == ((TRANS) == FLAG_NO))                                                       \
            OF_LINES(REAL, blas_dots_of_lines, ORDER, M, N, LDA, ALPHA, BETA, A, X, Y);                            \
        else                                                                                                       \
            OF_LINES(REAL, blas_sum_of_lines, ORDER, M, N, LDA, ALPHA, BETA, A, X, Y);                             \
        return;                                                                                                    \
    }                                                                                                              \
    (void)0

#define FORTRAN_GEMV(NAME, SLOT, BITS, INT, REAL)                                                                      \
    WAYS_ENTRY(                                                                                                        \
        void, NAME, SLOT, blas_is_few(SLOT, false, blas_bit_of_letter(*trans), *m, *n), 0, true,                       \
        SHORT_GEMV(REAL, SLOT, ORDER_COLUMNS, blas_flag_of_letter(*trans), *m, *n, *lda, *incx, *incy, *alpha, *beta,  \
                   a, x, y),                                                                                           \
        looks(SLOT, *m, *n, 0),                                                                                        \
        (const char *trans, const INT *m, const INT *n, const REAL *alpha, const REAL *a, const INT *lda,              \
         const REAL *x, const INT *incx, const REAL *beta, REAL *y, const INT *incy),                                  \
        (trans, m, n, alpha, a, lda, x, incx, beta, y, incy),                                                          \
        if (blas_gemv(&(const struct blas_gemv){SLOT, ORDER_COLUMNS, blas_flag_of_letter(*trans), *m, *n, *lda, *incx, \
                                                *incy, (double)*alpha, (double)*beta, a, x, y})) return )
#define CBLAS_GEMV(NAME, SLOT, BITS, INT, REAL)                                                                    \
    WAYS_ENTRY(                                                                                                    \
        void, NAME, SLOT, blas_is_few(SLOT, order == ORDER_ROWS, ~(order ^ trans) & 1, (INT)m, (INT)n), 0, true,   \
        SHORT_GEMV(REAL, SLOT, order, blas_flag_of_number(trans), (INT)m, (INT)n, (INT)lda, (INT)incx, (INT)incy,  \
                   alpha, beta, a, x, y),                                                                          \
        looks(SLOT, (INT)m, (INT)n, 0),                                                                            \
        (int order, int trans, int64_t m, int64_t n, REAL alpha, const REAL *a, int64_t lda, const REAL *x,        \
         int64_t incx, REAL beta, REAL *y, int64_t incy),                                                          \
        (order, trans, m, n, alpha, a, lda, x, incx, beta, y, incy),                                               \
        if (blas_gemv(&(const struct blas_gemv){SLOT, order, blas_flag_of_number(trans), (INT)m, (INT)n, (INT)lda, \
                                                (INT)incx, (INT)incy, (double)alpha, (double)beta, a, x, y})) return )

#define FORTRAN_DOT(NAME, SLOT, BITS, INT, REAL)                                                                      \
    WAYS_ENTRY(REAL, NAME, SLOT, (uint64_t)(*n - 1) < BLAS_SHORT_DOT, 0, true,                                        \
               SHORT_DOT(REAL, SLOT, *n, *incx, *incy, x, y), looks(SLOT, 0, 0, *n),                                  \
               (const INT *n, const REAL *x, const INT *incx, const REAL *y, const INT *incy), (n, x, incx, y, incy), \
               LOOK_AT_DOT(REAL, SLOT, *n, *incx, *incy, x, y))
#define CBLAS_DOT(NAME, SLOT, BITS, INT, REAL)                                                                    \
    ENTRY(REAL, NAME, SLOT, SHORT_DOT(REAL, SLOT, (INT)n, (INT)incx, (INT)incy, x, y), looks(SLOT, 0, 0, (INT)n), \
          (int64_t n, const REAL *x, int64_t incx, const REAL *y, int64_t incy), (n, x, incx, y, incy),           \
          LOOK_AT_DOT(REAL, SLOT, (INT)n, (INT)incx, (INT)incy, x, y))

/* ---- copies ------------------------------------------------------------------------------------------------------ */

static inline int order_of_letter(char letter)
{
    const char upper = (char)(letter & ~0x20);
    return upper == 'R' ? ORDER_ROWS : upper == 'C' ? ORDER_COLUMNS : 0;
}

/* R and 114 are conjugation alone. */
static inline enum blas_flag turn_of_letter(char letter)
{
    return (letter & ~0x20) == 'R' ? FLAG_NO : blas_flag_of_letter(letter);
}

static inline enum blas_flag turn_of_number(int value)
{
    return value == 114 ? FLAG_NO : blas_flag_of_number(value);
}

#define COPY_OF_LINES(REAL, SLOT, ORDER, TRANS, ROWS, COLS, ALPHA, A, LDA, B, LDB)                                    \
    if (blas_is_copy_of_lines(ORDER, TRANS, ROWS, COLS, LDA, LDB, (double)(ALPHA)) &&                                 \
        blas_computes_short(SLOT, BLAS_READY)) {                                                                      \
        OF_TYPE(REAL, blas_copy_wide)                                                                                 \
        ((size_t)((ORDER) == ORDER_ROWS ? ROWS : COLS), (size_t)((ORDER) == ORDER_ROWS ? COLS : ROWS), (size_t)(LDA), \
         (size_t)(LDB), ALPHA, A, B);                                                                                 \
        return;                                                                                                       \
    }                                                                                                                 \
    (void)0

/* Bit 1 of 111, 114, N and R says that a copy is not turned; it is looked at again. */
#define FORTRAN_OMATCOPY(NAME, SLOT, BITS, INT, REAL)                                                                \
    WAYS_ENTRY(void, NAME, SLOT, (unsigned char)*trans >> 1 & 1, 0, blas_copies_lines(),                             \
               COPY_OF_LINES(REAL, SLOT, order_of_letter(*order), turn_of_letter(*trans), *rows, *cols, *alpha, a,   \
                             *lda, b, *ldb),                                                                         \
               looks(SLOT, *rows, *cols, 0),                                                                         \
               (const char *order, const char *trans, const INT *rows, const INT *cols, const REAL *alpha,           \
                const REAL *a, const INT *lda, REAL *b, const INT *ldb),                                             \
               (order, trans, rows, cols, alpha, a, lda, b, ldb),                                                    \
               if (blas_copy(&(const struct blas_copy){SLOT, order_of_letter(*order), turn_of_letter(*trans), *rows, \
                                                       *cols, *lda, *ldb, (double)*alpha, a, b})) return )
#define CBLAS_OMATCOPY(NAME, SLOT, BITS, INT, REAL)                                                                 \
    WAYS_ENTRY(void, NAME, SLOT, (unsigned)trans >> 1 & 1, 0, blas_copies_lines(),                                  \
               COPY_OF_LINES(REAL, SLOT, order, turn_of_number(trans), (INT)rows, (INT)cols, alpha, a, (INT)lda, b, \
                             (INT)ldb),                                                                             \
               looks(SLOT, (INT)rows, (INT)cols, 0),                                                                \
               (int order, int trans, int64_t rows, int64_t cols, REAL alpha, const REAL *a, int64_t lda, REAL *b,  \
                int64_t ldb),                                                                                       \
               (order, trans, rows, cols, alpha, a, lda, b, ldb),                                                   \
               if (blas_copy(&(const struct blas_copy){SLOT, order, turn_of_number(trans), (INT)rows, (INT)cols,    \
                                                       (INT)lda, (INT)ldb, (double)alpha, a, b})) return )
#define FORTRAN_IMATCOPY(NAME, SLOT, BITS, INT, REAL)                                                                  \
    ENTRY(void, NAME, SLOT, (void)0, looks(SLOT, *rows, *cols, 0),                                                     \
          (const char *order, const char *trans, const INT *rows, const INT *cols, const REAL *alpha, REAL *a,         \
           const INT *lda, const INT *ldb),                                                                            \
          (order, trans, rows, cols, alpha, a, lda, ldb),                                                              \
          if (blas_copy(&(const struct blas_copy){SLOT, order_of_letter(*order), turn_of_letter(*trans), *rows, *cols, \
                                                  *lda, *ldb, (double)*alpha, a, NULL})) return )
#define CBLAS_IMATCOPY(NAME, SLOT, BITS, INT, REAL)                                                                   \
    ENTRY(void, NAME, SLOT, (void)0, looks(SLOT, (INT)rows, (INT)cols, 0),                                            \
          (int order, int trans, int64_t rows, int64_t cols, REAL alpha, REAL *a, int64_t lda, int64_t ldb),          \
          (order, trans, rows, cols, alpha, a, lda, ldb),                                                             \
          if (blas_copy(&(const struct blas_copy){SLOT, order, turn_of_number(trans), (INT)rows, (INT)cols, (INT)lda, \
                                                  (INT)ldb, (double)alpha, a, NULL})) return )

/* ---- all names --------------------------------------------------------------------------------------------------- */

#define TYPE_FLOAT float
#define TYPE_DOUBLE double
#define DEFINE(routine, name, family, bits, form, real, prefix, letter, suffix)                             \
    form##_##routine(prefix##letter##name##suffix,                                                          \
                     (size_t)BLAS_SLOT(FAMILY_##family, FORM_##form, REAL_##real, ROUTINE_##routine), bits, \
                     int##bits##_t, TYPE_##real)
#define DEFINE_FAMILY(...) BLAS_NAMES_OF_FAMILY(DEFINE, __VA_ARGS__)

BLAS_FAMILIES(DEFINE_FAMILY)
