/* libuskor-blas.so, as a program calls it: every name, with nothing beneath and over OpenBLAS. */
#include <fenv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "blas_calls.h"

static void *blas;

/* ---- the program's own error handlers ---------------------------------------------------------------------------- */

static int reported;
static char reported_name[40];

#define SHOWN __attribute__((visibility("default")))
SHOWN void xerbla_(const char *name, const int *position, size_t length);
SHOWN void cblas_xerbla(int position, const char *name, const char *format, ...);

void xerbla_(const char *name, const int *position, size_t length)
{
    reported = *position;
    snprintf(reported_name, sizeof reported_name, "%.*s", (int)length, name);
}

void cblas_xerbla(int position, const char *name, const char *format, ...)
{
    (void)format;
    reported = position;
    snprintf(reported_name, sizeof reported_name, "%s", name);
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

static void *function(size_t slot)
{
    void *found = dlsym(blas, blas_names[slot]);
    if (!found)
        fail_msg("no %s", blas_names[slot]);
    return found;
}

static void random_calls(size_t slot, uint32_t side, int count)
{
    uint32_t word = (uint32_t)slot + 1;
    for (int i = 0; i < count; i++) {
        const struct blas_problem p = random_problem(slot, side, &word);
        if (!call_is_right(function(slot), &p))
            fail_msg("%s: %s%s %s, m=%d n=%d k=%d pad=%d batch=%d steps %d %d, alpha=%g beta=%g", blas_names[slot],
                     p.transa ? "t" : "n", p.transb ? "t" : "n", p.by_rows ? "by rows" : "by columns", (int)p.m,
                     (int)p.n, (int)p.k, (int)p.pad, (int)p.batch, (int)p.incx, (int)p.incy, p.alpha, p.beta);
    }
}

static void every_name_is_right(void **state)
{
    (void)state;
    for (size_t slot = 0; slot < BLAS_SLOTS; slot++) {
        random_calls(slot, 5, 20);
        random_calls(slot, 20, 10);
        random_calls(slot, 70, 5);
    }
    random_calls(BLAS_SLOT(FAMILY_PLAIN, FORM_CBLAS, REAL_FLOAT, ROUTINE_GEMM), 300, 6);
    random_calls(BLAS_SLOT(FAMILY_SCIPY64, FORM_CBLAS, REAL_DOUBLE, ROUTINE_GEMM), 300, 6);
    random_calls(BLAS_SLOT(FAMILY_SCIPY, FORM_FORTRAN, REAL_DOUBLE, ROUTINE_SYRK), 200, 6);
}

/* The reference's positions: Fortran's arguments counted from 1; CBLAS has the order before them. */
static void wrong_arguments_are_reported(void **state)
{
    (void)state;
    const size_t fortran = BLAS_SLOT(FAMILY_PLAIN, FORM_FORTRAN, REAL_DOUBLE, ROUTINE_GEMM);
    const size_t cblas = BLAS_SLOT(FAMILY_PLAIN, FORM_CBLAS, REAL_FLOAT, ROUTINE_GEMM);
    static const struct {
        int position;
        int64_t m, n, k, lda, ldb, ldc;
    } wrong[] = {{3, -1, 1, 1, 1, 1, 1}, {4, 1, -1, 1, 1, 1, 1}, {5, 1, 1, -1, 1, 1, 1}, {8, 2, 1, 1, 1, 1, 2},
                 {10, 1, 1, 2, 2, 1, 1}, {13, 2, 1, 1, 2, 1, 1}, {8, 0, 0, 0, 0, 1, 1},  {13, 0, 0, 0, 1, 1, 0}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const struct blas_problem p = {.slot = fortran, .m = wrong[i].m, .n = wrong[i].n, .k = wrong[i].k, .batch = 1};
        const struct stored a = {.pitch = wrong[i].lda}, b = {.pitch = wrong[i].ldb}, c = {.pitch = wrong[i].ldc};
        reported = 0;
        call_product(function(fortran), &p, &a, &b, &c);
        assert_int_equal(reported, wrong[i].position);
        assert_string_equal(reported_name, "DGEMM ");
        struct blas_problem of_c = p;
        of_c.slot = cblas;
        reported = 0;
        call_product(function(cblas), &of_c, &a, &b, &c);
        assert_int_equal(reported, wrong[i].position + 1);
        assert_string_equal(reported_name, "cblas_sgemm");
    }
}

static void the_library_is_marked_and_stays(void **state)
{
    (void)state;
    assert_non_null(dlsym(blas, "RowMajorStrg"));
    assert_non_null(dlsym(blas, "CBLAS_CallFromC"));
    assert_non_null(dlsym(blas, "uskor_blas_interposes"));
    assert_null(dlsym(blas, "uskor_open")); /* the program's own libuskor is not interposed */
}

/* With a library beneath, of which the family is found only now, as it was loaded only now. */
static void over_openblas(void **state)
{
    (void)state;
    if (!dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL))
        skip();
    for (size_t slot = 0; slot < BLAS_SLOT(FAMILY_PLAIN64, 0, 0, 0); slot++) {
        if (blas_routine(slot) == ROUTINE_IMATCOPY) /* OpenBLAS 0.3.21's own writes behind larger arrays */
            continue;
        random_calls(slot, 20, 10);
        random_calls(slot, 150, 5);
    }
}

/* gemv of steps of 1, which is computed here where registers have 32 bytes: lines of every rest. */
static void short_vectors_over_openblas(void **state)
{
    (void)state;
    if (!dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL))
        skip();
    static const int64_t sides[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 32, 33, 50, 67, 300};
    const size_t count = sizeof sides / sizeof *sides;
    for (size_t slot = 0; slot < BLAS_SLOT(FAMILY_PLAIN64, 0, 0, 0); slot++)
        for (size_t i = 0; blas_routine(slot) == ROUTINE_GEMV && i < 16 * count * count; i++) {
            uint32_t word = (uint32_t)i + 1;
            struct blas_problem p = random_problem(slot, 1, &word);
            p.m = sides[i % count], p.n = sides[i / count % count];
            p.incx = p.incy = 1;
            if (!call_is_right(function(slot), &p))
                fail_msg("%s: %s %s, m=%d n=%d pad=%d, alpha=%g beta=%g", blas_names[slot], p.transa ? "t" : "n",
                         p.by_rows ? "by rows" : "by columns", (int)p.m, (int)p.n, (int)p.pad, p.alpha, p.beta);
        }
}

/* A lane beyond the last element must be zero times zero: infinity times zero raises "invalid". */
static void short_vectors_raise_no_flag_of_their_own(void **state)
{
    (void)state;
    if (!dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL))
        skip();
    const size_t slot = BLAS_SLOT(FAMILY_PLAIN, FORM_CBLAS, REAL_DOUBLE, ROUTINE_GEMV);
    double a[21], x[7], y[7];
    for (int i = 0; i < 21; i++)
        a[i] = i + 1;
    for (int turned = 0; turned < 2; turned++) {
        const struct blas_problem p = {.slot = slot,
                                       .by_rows = true,
                                       .transa = turned,
                                       .m = 3,
                                       .n = 7,
                                       .alpha = INFINITY,
                                       .beta = INFINITY,
                                       .incx = 1,
                                       .incy = 1};
        for (int i = 0; i < 7; i++)
            x[i] = INFINITY, y[i] = 1;
        feclearexcept(FE_ALL_EXCEPT);
        call_gemv_double(function(slot), &p, &(const struct stored){3, 7, 7, a}, x, y);
        assert_false(fetestexcept(FE_INVALID));
        assert_true(isinf(y[2]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_library_is_marked_and_stays), cmocka_unit_test(every_name_is_right),
        cmocka_unit_test(wrong_arguments_are_reported),    cmocka_unit_test(over_openblas),
        cmocka_unit_test(short_vectors_over_openblas),     cmocka_unit_test(short_vectors_raise_no_flag_of_their_own),
    };
    blas = dlopen(USKOR_BLAS, RTLD_NOW | RTLD_LOCAL);
    if (!blas) {
        printf("%s\n", dlerror());
        return 1;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
