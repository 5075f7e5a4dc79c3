/* The plain signature of a matrix product: BLAS's gemm without transposes, with contiguous rows. */
#include "kernels/plain.h"
#include "base/size.h"
#include "base/translation.h"
#include "kernels/matmul/matmul.h"

static const struct plain_argument arguments[] = {
    {"a", " d_a mat_a in1 left matrixa x ", "a", .is_array = true},
    {"b", " d_b mat_b in2 right matrixb y ", "b", .is_array = true},
    {"c", " d_c mat_c out result output matrixc p ", "c", .is_array = true},
    {"m", " rows height ha rows_a a_rows ", "m", .is_size = true},
    {"n", " cols width wb columns size dim cols_b b_cols ", "n", .is_size = true},
    {"k", " inner depth wa common l cols_a a_cols ", "k", .is_size = true},
    {"alpha", " scale ", "alpha", .absent = {"alpha == 1", N_("it has no alpha")}, .is_real = true},
    {"beta", " ", "beta", .absent = {"beta == 0", N_("it has no beta")}, .is_real = true},
    {"lda", " stride_a ld_a pitch_a ", "k + lda_pad", .absent = {"lda_pad == 0", N_("it has no lda")}},
    {"ldb", " stride_b ld_b pitch_b ", "n + ldb_pad", .absent = {"ldb_pad == 0", N_("it has no ldb")}},
    {"ldc", " stride_c ld_c pitch_c ", "n + ldc_pad", .absent = {"ldc_pad == 0", N_("it has no ldc")}},
};

/* Textbooks compute alpha·A·B + beta·C as it stands. With an alpha of 0 BLAS reads neither factor, and 0 times infinity
 * is NaN. */
static const char *refuses(const struct problem *problem)
{
    const size_t input = problem_size(problem, "input");
    const bool overflows = input == INPUT_SPECIAL || input == INPUT_HUGE;
    if (problem_size(problem, "transa") || problem_size(problem, "transb"))
        return N_("the plain signature has no transposed factors");
    if (problem_real(problem, "alpha") == 0 && overflows)
        return N_("the plain formula makes NaN here of numbers that BLAS does not read");
    return NULL;
}

static void call(struct run *run, void (*function)(void))
{
    const struct product p = product_of_run(run);
    long m = (long)p.m, n = (long)p.n, k = (long)p.k, lda = (long)p.lda, ldb = (long)p.ldb, ldc = (long)p.ldc;
    if (p.type == ELEMENT_F32)
        ((void (*)(const void *, const void *, void *, long, long, long, float, float, long, long, long))function)(
            p.a, p.b, p.c, m, n, k, (float)p.alpha, (float)p.beta, lda, ldb, ldc);
    else
        ((void (*)(const void *, const void *, void *, long, long, long, double, double, long, long, long))function)(
            p.a, p.b, p.c, m, n, k, p.alpha, p.beta, lda, ldb, ldc);
}

const struct plain_signature matmul_plain = {
    .prototype = "void matmul(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, long m, long n, long k,\n"
                 "            ELEMENT alpha, ELEMENT beta, long lda, long ldb, long ldc)",
    .arguments = arguments,
    .count = COUNT_OF(arguments),
    .output = 2,
    .lone_size = {"m == n && n == k", N_("its one size asks for square matrices")},
    .group = "16, 16",
    .groups = "ceil(n / 16), ceil(m / 16)",
    .bound = "",
    .output_factor = "beta",
    .refuses = refuses,
    .by_value = true,
    .no_halves = N_("the plain signature has no elements of 16 bits"), /* its factors would be of that type, too */
    .call = call,
};
