/* gemm and its batches: which products are computed here, and by whom the others. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/pool.h"
#include "blas/beneath.h"
#include "blas/blas.h"
#include "blas/choice.h"
#include "blas/contexts.h"
#include "blas/verbose.h"
#include "kernels/matmul/packed.h"

/* Multiplications below which another thread costs more time than it saves. */
#define THREAD_WORK 65536.0
/* A product on the device has at least so many: its matrices are copied there and back. */
#define DEVICE_WORK (512.0 * 512 * 512)

enum place { BENEATH, HERE, ON_DEVICE, NOWHERE }; /* NOWHERE: nothing is to be done */

/* ---- the one beneath --------------------------------------------------------------------------------------------- */

/* Integers are passed as 64 bits: one of 32 bits is the low half of the memory or of the register. */
#define CALL_BENEATH(REAL)                                                                                             \
    static void call_beneath_##REAL(const struct blas_gemm *c, int ta, int tb, void *function)                         \
    {                                                                                                                  \
        const REAL alpha = (REAL)c->alpha, beta = (REAL)c->beta;                                                       \
        const char of_a = (char)ta, of_b = (char)tb;                                                                   \
        if (blas_form(c->slot) == FORM_FORTRAN)                                                                        \
            ((void (*)(const char *, const char *, const int64_t *, const int64_t *, const int64_t *, const REAL *,    \
                       const void *, const int64_t *, const void *, const int64_t *, const REAL *, void *,             \
                       const int64_t *, size_t, size_t))function)(&of_a, &of_b, &c->m, &c->n, &c->k, &alpha, c->a,     \
                                                                  &c->lda, c->b, &c->ldb, &beta, c->c, &c->ldc, 1, 1); \
        else                                                                                                           \
            ((void (*)(int, int, int, int64_t, int64_t, int64_t, REAL, const void *, int64_t, const void *, int64_t,   \
                       REAL, void *, int64_t))function)(c->order, ta, tb, c->m, c->n, c->k, alpha, c->a, c->lda, c->b, \
                                                        c->ldb, beta, c->c, c->ldc);                                   \
    }
CALL_BENEATH(float)
CALL_BENEATH(double)

/* With the flags as the caller had them: a library may know others. */
static void call_beneath_so(const struct blas_gemm *c, int ta, int tb)
{
    void *function = blas_beneath_of(blas_sibling(c->slot, ROUTINE_GEMM));
    if (blas_real(c->slot) == REAL_DOUBLE)
        call_beneath_double(c, ta, tb, function);
    else
        call_beneath_float(c, ta, tb, function);
}

static void call_beneath(const struct blas_gemm *c)
{
    const bool is_fortran = blas_form(c->slot) == FORM_FORTRAN;
    call_beneath_so(c, is_fortran ? (c->transa > 0 ? 'T' : 'N') : 111 + c->transa,
                    is_fortran ? (c->transb > 0 ? 'T' : 'N') : 111 + c->transb);
}

/* ---- one product ------------------------------------------------------------------------------------------------- */

static double work_of(const struct blas_gemm *c)
{
    return (double)c->m * (double)c->n * (double)c->k;
}

/* Where a right product is computed; `next`: the function beneath. */
static enum place place_of(const struct blas_gemm *c, const void *next)
{
    if (c->m == 0 || c->n == 0 || ((c->alpha == 0 || c->k == 0) && c->beta == 1))
        return NOWHERE;
    const int64_t m = c->order == ORDER_ROWS ? c->m : c->n, n = c->order == ORDER_ROWS ? c->n : c->m;
    if (blas_is_ours(blas_real(c->slot), ROUTINE_GEMM, blas_form_of(c), m, n, c->k, c->beta))
        return HERE;
    if (work_of(c) >= DEVICE_WORK && blas_device_name())
        return ON_DEVICE;
    return next ? BENEATH : HERE;
}

static void compute(const struct blas_gemm *c, enum place place)
{
    if (place == NOWHERE || (place == ON_DEVICE && blas_product_on_device(c)))
        return;
    if (place == BENEATH || (place == ON_DEVICE && blas_next(blas_sibling(c->slot, ROUTINE_GEMM))))
        call_beneath(c);
    else
        blas_product(c);
}

/* ---- reports ----------------------------------------------------------------------------------------------------- */

static double timed(const struct blas_gemm *c, enum place place)
{
    const int64_t begin = clock_now();
    compute(c, place);
    return (double)(clock_now() - begin);
}

/* The other one's time, on a copy of C. */
static double time_of_other(const struct blas_gemm *c, enum place place)
{
    const size_t lines = (size_t)(c->order == ORDER_ROWS ? c->m : c->n);
    const size_t line = (size_t)(c->order == ORDER_ROWS ? c->n : c->m);
    const size_t bytes = blas_real(c->slot) == REAL_DOUBLE ? sizeof(double) : sizeof(float);
    struct blas_gemm other = *c;
    if (place != BENEATH && !blas_next(blas_sibling(c->slot, ROUTINE_GEMM)))
        return -1;
    other.c = malloc(((lines - 1) * (size_t)c->ldc + line) * bytes);
    if (!other.c)
        return -1;
    for (size_t i = 0; i < lines; i++)
        memcpy((char *)other.c + i * (size_t)c->ldc * bytes, (const char *)c->c + i * (size_t)c->ldc * bytes,
               line * bytes);
    timed(&other, place == BENEATH ? HERE : BENEATH); /* the first run is cold */
    const double time = timed(&other, place == BENEATH ? HERE : BENEATH);
    free(other.c);
    return time;
}

static void compute_and_report(const struct blas_gemm *c, enum place place)
{
    static const char *const orders[] = {"row,nn", "row,nt", "row,tn", "row,tt",
                                         "col,nn", "col,nt", "col,tn", "col,tt"};
    const char *how = orders[(c->order == ORDER_COLUMNS) * 4 + (c->transa > 0) * 2 + (c->transb > 0)];
    char device[80] = "uskor";
    if (place == ON_DEVICE)
        strcat(strcpy(device, "uskor:"), blas_device_name());
    const double other = place == NOWHERE ? -1 : time_of_other(c, place);
    const double time = timed(c, place);
    blas_report(c->slot, how, c->m, c->n, c->k,
                place == BENEATH ? blas_where(blas_sibling(c->slot, ROUTINE_GEMM)) : device, time, other);
}

/* ---- the calls --------------------------------------------------------------------------------------------------- */

bool blas_gemm(const struct blas_gemm *c)
{
    bool is_done;
    if (blas_passes_on(c->slot, blas_check_gemm(c), &is_done) || is_done)
        return is_done;
    const enum place place = place_of(c, blas_next(c->slot));
    if (blas_is_verbose())
        compute_and_report(c, place);
    else if (place == BENEATH)
        return false;
    else
        compute(c, place);
    return true;
}

/* One of a view's steps is 1, the other a pitch. */
void blas_gemm_again(size_t slot, unsigned turns, int order, int ta, int tb, const struct packed_product *made)
{
    const bool by_rows = !(turns & 4), is_fortran = blas_form(slot) == FORM_FORTRAN;
    const struct packed_view *a = by_rows ? &made->a : &made->b, *b = by_rows ? &made->b : &made->a;
    const struct blas_gemm call = {
        .slot = slot,
        .order = order,
        .transa = is_fortran ? blas_flag_of_letter((char)ta) : blas_flag_of_number(ta),
        .transb = is_fortran ? blas_flag_of_letter((char)tb) : blas_flag_of_number(tb),
        .m = (int64_t)(by_rows ? made->m : made->n),
        .n = (int64_t)(by_rows ? made->n : made->m),
        .k = (int64_t)made->k,
        .lda = (int64_t)(a->down * a->across),
        .ldb = (int64_t)(b->down * b->across),
        .ldc = (int64_t)made->ldc,
        .alpha = made->alpha,
        .beta = made->beta,
        .a = a->data,
        .b = b->data,
        .c = made->c,
    };
    if (!blas_gemm(&call))
        call_beneath_so(&call, ta, tb);
}

static struct blas_gemm product_at(const struct blas_gemm *c, int64_t index)
{
    const int64_t bytes = blas_real(c->slot) == REAL_DOUBLE ? sizeof(double) : sizeof(float);
    struct blas_gemm one = *c;
    one.a = c->a ? (const char *)c->a + index * c->step_a * bytes : NULL;
    one.b = c->b ? (const char *)c->b + index * c->step_b * bytes : NULL;
    one.c = c->c ? (char *)c->c + index * c->step_c * bytes : NULL;
    return one;
}

struct batch {
    const struct blas_gemm *call;
    enum place place;
};

static void compute_one(void *context, size_t index, size_t thread)
{
    (void)thread;
    const struct batch *batch = context;
    const struct blas_gemm one = product_at(batch->call, (int64_t)index);
    compute(&one, batch->place);
}

/* Products of our own share the threads; the one beneath has threads of its own. */
static void compute_batch(const struct blas_gemm *c, enum place place)
{
    struct batch batch = {c, place};
    if (place == HERE)
        parallel_for((size_t)c->batch, pool_threads_for(work_of(c) * (double)c->batch, THREAD_WORK), compute_one,
                     &batch);
    else
        for (int64_t i = 0; place != NOWHERE && i < c->batch; i++)
            compute_one(&batch, (size_t)i, 0);
}

bool blas_gemm_strided(const struct blas_gemm *c)
{
    bool is_done;
    int wrong = blas_check_gemm(c);
    if (wrong == 0 && c->batch < 0)
        wrong = 17 + (blas_form(c->slot) == FORM_CBLAS);
    if (blas_passes_on(c->slot, wrong, &is_done) || is_done)
        return is_done;
    const enum place place = place_of(c, blas_find(blas_sibling(c->slot, ROUTINE_GEMM)));
    if (place == BENEATH && blas_next(c->slot) && !blas_is_verbose())
        return false;
    const int64_t begin = clock_now();
    compute_batch(c, place);
    if (blas_is_verbose())
        blas_report(c->slot, "batch,-", c->m, c->n, c->k, place == BENEATH ? "beneath" : "uskor",
                    (double)(clock_now() - begin), -1);
    return true;
}

/* ---- groups ------------------------------------------------------------------------------------------------------ */

static int64_t integer(const struct blas_groups *g, const void *array, int64_t index)
{
    return g->bits == 64 ? ((const int64_t *)array)[index] : ((const int32_t *)array)[index];
}

static double real(const struct blas_groups *g, const void *array, int64_t index)
{
    return blas_real(g->slot) == REAL_DOUBLE ? ((const double *)array)[index] : (double)((const float *)array)[index];
}

static enum blas_flag flag(const struct blas_groups *g, const void *array, int64_t index)
{
    return blas_form(g->slot) == FORM_CBLAS ? blas_flag_of_number(((const int *)array)[index])
                                            : blas_flag_of_letter(((const char *)array)[index]);
}

static struct blas_gemm group_at(const struct blas_groups *g, int64_t i)
{
    return (struct blas_gemm){
        .slot = g->slot,
        .order = g->order,
        .transa = flag(g, g->transa, i),
        .transb = flag(g, g->transb, i),
        .m = integer(g, g->m, i),
        .n = integer(g, g->n, i),
        .k = integer(g, g->k, i),
        .lda = integer(g, g->lda, i),
        .ldb = integer(g, g->ldb, i),
        .ldc = integer(g, g->ldc, i),
        .alpha = real(g, g->alpha, i),
        .beta = real(g, g->beta, i),
        .batch = integer(g, g->sizes, i),
    };
}

/* One group: its products' matrices are anywhere. */
struct group {
    const struct blas_groups *groups;
    struct blas_gemm call;
    int64_t first;
    enum place place;
};

static void compute_of_group(void *context, size_t index, size_t thread)
{
    (void)thread;
    const struct group *group = context;
    struct blas_gemm one = group->call;
    const int64_t at = group->first + (int64_t)index;
    one.a = group->groups->a[at];
    one.b = group->groups->b[at];
    one.c = group->groups->c[at];
    compute(&one, group->place);
}

static void compute_group(struct group *group)
{
    const double work = work_of(&group->call) * (double)group->call.batch;
    if (group->place == HERE)
        parallel_for((size_t)group->call.batch, pool_threads_for(work, THREAD_WORK), compute_of_group, group);
    else
        for (int64_t i = 0; group->place != NOWHERE && i < group->call.batch; i++)
            compute_of_group(group, (size_t)i, 0);
}

/* The position of the first wrong argument of any group. Sets whether all products are ours. */
static int check_groups(const struct blas_groups *g, bool *are_ours)
{
    int wrong = g->count < 0 ? 14 + (blas_form(g->slot) == FORM_CBLAS) : 0;
    *are_ours = true;
    for (int64_t i = 0; wrong == 0 && i < g->count; i++) {
        const struct blas_gemm one = group_at(g, i);
        wrong = one.batch < 0 ? 15 + (blas_form(g->slot) == FORM_CBLAS) : blas_check_gemm(&one);
        *are_ours = *are_ours && wrong == 0 && place_of(&one, g) != BENEATH;
    }
    return wrong;
}

bool blas_gemm_groups(const struct blas_groups *g)
{
    bool is_done, are_ours;
    const void *next = blas_find(blas_sibling(g->slot, ROUTINE_GEMM));
    blas_begin();
    if (blas_passes_on(g->slot, check_groups(g, &are_ours), &is_done) || is_done)
        return is_done;
    if (!are_ours && blas_next(g->slot) && !blas_is_verbose())
        return false;
    int64_t first = 0;
    for (int64_t i = 0; i < g->count; i++) {
        struct group group = {g, group_at(g, i), first, BENEATH};
        group.place = place_of(&group.call, next);
        const int64_t begin = clock_now();
        compute_group(&group);
        if (blas_is_verbose())
            blas_report(g->slot, "group,-", group.call.m, group.call.n, group.call.k,
                        group.place == BENEATH ? "beneath" : "uskor", (double)(clock_now() - begin), -1);
        first += group.call.batch;
    }
    return true;
}
