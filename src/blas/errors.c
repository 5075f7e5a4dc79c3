/* What every call begins with: wrong arguments are reported by the one beneath, or here where there is none. */
#include <stdio.h>
#include <string.h>

#include "blas/beneath.h"
#include "blas/blas.h"
#include "blas/choice.h"
#include "blas/small.h"

/* The program's own, or the one beneath: never one of ours, and found by the loader. */
extern void xerbla_(const char *name, const int *position, size_t length) __attribute__((weak));
extern void cblas_xerbla(int position, const char *name, const char *format, ...) __attribute__((weak));

/* "SGEMM ", as the reference BLAS pads it. */
static void routine_name(size_t slot, char text[40])
{
    static const char *const routines[] = {
#define UPPER(routine, ...) [ROUTINE_##routine] = #routine,
        BLAS_ROUTINES(UPPER, )};
    snprintf(text, 40, "%c%-5s", blas_real(slot) == REAL_DOUBLE ? 'D' : 'S', routines[blas_routine(slot)]);
}

static void report(size_t slot, int position)
{
    char name[40];
    routine_name(slot, name);
    if (blas_form(slot) == FORM_CBLAS && cblas_xerbla)
        cblas_xerbla(position, blas_names[slot], "");
    else if (xerbla_)
        xerbla_(name, &position, strlen(name));
    else
        fprintf(stderr, " ** On entry to %s parameter number %d had an illegal value\n", name, position);
}

static int64_t at_least_one(int64_t size)
{
    return size > 1 ? size : 1;
}

/* Positions are Fortran's; CBLAS's have the order before them. */
int blas_check_gemm(const struct blas_gemm *c)
{
    const bool by_rows = c->order == ORDER_ROWS;
    const int64_t a_line = by_rows == (c->transa == FLAG_YES) ? c->m : c->k;
    const int64_t b_line = by_rows == (c->transb == FLAG_YES) ? c->k : c->n;
    const bool has_order = blas_form(c->slot) == FORM_CBLAS;
    const int position = c->order != ORDER_ROWS && c->order != ORDER_COLUMNS ? 0
                         : c->transa == FLAG_WRONG                           ? 1
                         : c->transb == FLAG_WRONG                           ? 2
                         : c->m < 0                                          ? 3
                         : c->n < 0                                          ? 4
                         : c->k < 0                                          ? 5
                         : c->lda < at_least_one(a_line)                     ? 8
                         : c->ldb < at_least_one(b_line)                     ? 10
                         : c->ldc < at_least_one(by_rows ? c->n : c->m)      ? 13
                                                                             : -1;
    return position < 0 ? 0 : position + has_order;
}

atomic_bool blas_is_quick[BLAS_SLOTS];

/* Whether short calls of the routine are computed where short dot products are. */
static bool has_short(enum blas_routine routine)
{
    return routine != ROUTINE_OMATCOPY || blas_copies_lines();
}

bool blas_passes_on(size_t slot, int wrong, bool *is_done)
{
    const void *next = blas_find(slot);
    blas_begin();
    if (blas_is_settled(slot) && blas_computes_short(slot, BLAS_SHORT) && has_short(blas_routine(slot)))
        atomic_store(&blas_is_quick[slot], true);
    *is_done = !next && wrong;
    if (*is_done)
        report(slot, wrong);
    return next && (wrong || blas_is_refused(blas_family(slot)));
}
