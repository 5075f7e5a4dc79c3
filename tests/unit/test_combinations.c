/* Coverage of `uskor check`: a rung that is wrong at one combination of fields, or of the problem before with this one,
 * is found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <math.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */
#define FAIL_WITH(...) (print_error(__VA_ARGS__), _fail(__FILE__, __LINE__))

#include "backends/backend.h"
#include "kernels/kernel.h"
#include "lab/verification/check.h"
#include "lab/verification/check_draws.h"

static int64_t field(const struct problem *problem, const char *name)
{
    return problem_size(problem, name);
}

static bool is_same_value(const struct problem *a, const struct problem *b, size_t field)
{
    return a->kernel->fields[field].kind == FIELD_REAL ? a->values[field].real == b->values[field].real
                                                       : a->values[field].size == b->values[field].size;
}

/* The only field of its own kernel in which two problems differ; SIZE_MAX where there are more or none, or their types
 * differ. */
static size_t only_change(const struct problem *a, const struct problem *b)
{
    size_t which = SIZE_MAX, count = 0;
    for (size_t i = 0; i < a->kernel->field_count; i++)
        if (!is_same_value(a, b, i)) {
            which = i;
            count++;
        }
    return count == 1 && a->type == b->type ? which : SIZE_MAX;
}

/* A rung may keep what it made for the problem before, and overlook one field that has changed since. */
static void every_field_changes_alone(void **state)
{
    (void)state;
    struct error error = {""};
    struct device *cpu;
    assert_int_equal(device_open("cpu", &cpu, &error), STATUS_OK);
    for (size_t i = 0; kernels[i]; i++) {
        const struct kernel *kernel = kernels[i];
        struct problem *problems;
        size_t count;
        bool changed[PROBLEM_FIELDS_MAX] = {false};
        assert_int_equal(check_problems(kernel, CHECK_ALL, cpu, 0, &problems, &count, &error), STATUS_OK);
        for (size_t p = 1; p < count; p++) {
            const size_t which = only_change(&problems[p - 1], &problems[p]);
            if (which != SIZE_MAX)
                changed[which] = true;
        }
        for (size_t f = 0; f < kernel->field_count; f++)
            if (!changed[f] && !kernel->fields[f].host_only)
                FAIL_WITH("%s: no problem changes %s alone\n", kernel->name, kernel->fields[f].name);
        free(problems);
    }
    device_close(cpu);
}

/* ---- combinations --------------------------------------------------------------------------------------------- */

static bool beta_and_padded_c(const struct problem *p)
{
    return problem_real(p, "beta") != 0 && field(p, "ldc_pad") > 0 && field(p, "m") > 300 && field(p, "n") > 300;
}

static bool turned_and_large(const struct problem *p)
{
    return field(p, "transa") && !field(p, "transb") && field(p, "m") > 200 && field(p, "n") > 200;
}

static bool square_and_turned(const struct problem *p)
{
    return field(p, "m") == field(p, "n") && field(p, "n") == field(p, "k") && field(p, "transa") && field(p, "m") > 40;
}

static bool nearly_one(double factor)
{
    return factor != 1 && fabs(factor - 1) < 1e-4;
}

static bool alpha_nearly_one(const struct problem *p)
{
    return nearly_one(problem_real(p, "alpha"));
}

static bool beta_nearly_one(const struct problem *p)
{
    return nearly_one(problem_real(p, "beta"));
}

static bool negligible(double factor)
{
    return factor != 0 && fabs(factor) < 1e-6;
}

/* A negligible factor shows where the other one adds nothing larger. */
static bool negligible_alpha(const struct problem *p)
{
    return negligible(problem_real(p, "alpha")) && fabs(problem_real(p, "beta")) < 1e-3;
}

static bool negligible_beta(const struct problem *p)
{
    return negligible(problem_real(p, "beta")) && fabs(problem_real(p, "alpha")) < 1e-3;
}

static bool large_factor(const struct problem *p)
{
    return fabs(problem_real(p, "alpha")) > 1e6;
}

static bool is_plain_factor(double factor)
{
    return factor == 0 || fabs(factor) == 1;
}

static bool equal_factors(const struct problem *p)
{
    return problem_real(p, "alpha") == problem_real(p, "beta") && !is_plain_factor(problem_real(p, "beta"));
}

static bool opposite_factors(const struct problem *p)
{
    return problem_real(p, "alpha") == -problem_real(p, "beta") && !is_plain_factor(problem_real(p, "beta"));
}

static bool few_vectors(const struct problem *p)
{
    return field(p, "n") >= 2 && field(p, "n") <= 8 && field(p, "m") > 1000;
}

/* Code for vectors that takes a padded matrix for a dense one. */
static bool padded_b_of_one_row(const struct problem *p)
{
    return field(p, "m") == 1 && field(p, "n") > 1 && field(p, "k") > 1 && field(p, "ldb_pad") > 0 &&
           !field(p, "transb");
}

static bool padded_a_of_one_column(const struct problem *p)
{
    return field(p, "n") == 1 && field(p, "m") > 1 && field(p, "k") > 1 && field(p, "lda_pad") > 0;
}

static bool only_one_side_changes(const struct problem *p)
{
    return field(p, "out_width") == field(p, "width") && field(p, "out_height") != field(p, "height");
}

static bool thrice(const struct problem *p)
{
    return field(p, "out_width") == 3 * field(p, "width");
}

static bool slow_wave(const struct problem *p)
{
    return problem_real(p, "courant") < 0.2;
}

static bool plane_of_points(const struct problem *p)
{
    return field(p, "nz") == 1 && field(p, "nx") > 100 && field(p, "ny") > 1;
}

static bool long_power_of_two(const struct problem *p)
{
    return field(p, "n") > 70000 && (field(p, "n") & (field(p, "n") - 1)) == 0;
}

static bool large_square(const struct problem *p)
{
    return field(p, "rows") == field(p, "cols") && field(p, "rows") > 600;
}

static bool different_tiles(const struct problem *p)
{
    return field(p, "rows") % 64 == 0 && field(p, "cols") % 64 == 0 && field(p, "rows") > 64 &&
           field(p, "cols") > field(p, "rows");
}

static bool different_tiles_of_a_product(const struct problem *p)
{
    return field(p, "m") % 32 + field(p, "n") % 32 + field(p, "k") % 32 == 0 && field(p, "m") != field(p, "n") &&
           field(p, "n") != field(p, "k") && field(p, "m") != field(p, "k") && field(p, "transa") &&
           field(p, "transb") && field(p, "m") * field(p, "n") * field(p, "k") > 0;
}

static bool one_row_beyond_tiles(const struct problem *p)
{
    return field(p, "rows") % 64 == 1 && field(p, "cols") % 64 == 0 && field(p, "rows") > 64 && field(p, "cols") > 0;
}

static bool one_column_short_of_tiles(const struct problem *p)
{
    return field(p, "rows") % 64 == 0 && field(p, "cols") % 64 == 63 && field(p, "rows") > 64;
}

static bool wide_and_odd(const struct problem *p)
{
    return field(p, "rows") > 16 && field(p, "cols") > 16 * field(p, "rows") && field(p, "cols") % 2;
}

static bool outer_product_of_transposed(const struct problem *p)
{
    return field(p, "k") == 1 && field(p, "transa") && field(p, "transb") && field(p, "m") > 1 && field(p, "n") > 1;
}

static bool many_products(const struct problem *p)
{
    return field(p, "batch") > 65535;
}

static bool products_beyond_a_byte(const struct problem *p)
{
    return field(p, "batch") > 256 && field(p, "batch") < 1024 && problem_real(p, "beta") != 0;
}

static bool batch_of_padded_results(const struct problem *p)
{
    return field(p, "batch") > 1 && field(p, "ldc_pad") > 0 && problem_real(p, "beta") == 1;
}

static bool batch_of_rows(const struct problem *p)
{
    return field(p, "batch") > 1 && field(p, "m") == 1 && problem_real(p, "alpha") != 1;
}

static bool deep_product(const struct problem *p)
{
    return field(p, "k") > 1 << 17;
}

static bool one_sixth(const struct problem *p)
{
    return 6 * field(p, "out_width") == field(p, "width") && 6 * field(p, "out_height") == field(p, "height");
}

static bool five_quarters(const struct problem *p)
{
    return 4 * field(p, "out_width") == 5 * field(p, "width") && 4 * field(p, "out_height") == 5 * field(p, "height");
}

static bool much_smaller(const struct problem *p)
{
    return 8 * field(p, "out_width") < field(p, "width") && 8 * field(p, "out_height") < field(p, "height");
}

static bool more_than_a_million(const struct problem *p)
{
    return field(p, "n") > 1 << 20 && field(p, "input") == 0;
}

static bool steps_beyond_a_byte(const struct problem *p)
{
    return field(p, "steps") > 256 && problem_real(p, "courant") > 0.433 && problem_real(p, "courant") < 0.4331;
}

/* Codes for a few points, for whole tiles, or for several steps at a time are codes of their own. */
static void every_short_side_and_number_of_steps(void **state)
{
    (void)state;
    static const char *const sides[] = {"nx", "ny", "nz"};
    struct error error = {""};
    struct device *cpu;
    struct problem *problems;
    size_t count;
    uint64_t steps = 0, lengths[3] = {0}, batches = 0;
    assert_int_equal(device_open("cpu", &cpu, &error), STATUS_OK);
    assert_int_equal(check_problems(kernel_by_name("wave", NULL), CHECK_ALL, cpu, 0, &problems, &count, &error),
                     STATUS_OK);
    for (size_t p = 0; p < count; p++) {
        if (field(&problems[p], "steps") < 64)
            steps |= UINT64_C(1) << field(&problems[p], "steps");
        for (size_t s = 0; s < 3; s++)
            if (field(&problems[p], sides[s]) < 64 && field(&problems[p], sides[(s + 1) % 3]) > 18)
                lengths[s] |= UINT64_C(1) << field(&problems[p], sides[s]);
    }
    free(problems);
    assert_true((steps >> 1 & 0xffffffffff) == 0xffffffffff);
    for (size_t s = 0; s < 3; s++)
        assert_true((lengths[s] & 0x1fe) == 0x1fe);
    assert_int_equal(check_problems(kernel_by_name("matmul", NULL), CHECK_SMALL, cpu, 0, &problems, &count, &error),
                     STATUS_OK);
    for (size_t p = 0; p < count; p++)
        batches |= field(&problems[p], "batch") > 1 ? UINT64_C(1) << field(&problems[p], "batch") % 16 : 0;
    free(problems);
    assert_true(batches == 0xffff);
    device_close(cpu);
}

static void combinations_of_fields(void **state)
{
    (void)state;
    static const struct {
        const char *kernel;
        bool (*meets)(const struct problem *problem);
    } table[] = {
        {"transpose", different_tiles},
        {"transpose", wide_and_odd},
        {"transpose", one_row_beyond_tiles},
        {"transpose", one_column_short_of_tiles},
        {"matmul", different_tiles_of_a_product},
        {"matmul", outer_product_of_transposed},
        {"matmul", many_products},
        {"matmul", products_beyond_a_byte},
        {"matmul", batch_of_padded_results},
        {"matmul", batch_of_rows},
        {"matmul", deep_product},
        {"resize", one_sixth},
        {"resize", five_quarters},
        {"resize", much_smaller},
        {"sort", more_than_a_million},
        {"wave", steps_beyond_a_byte},
        {"matmul", beta_and_padded_c},
        {"matmul", turned_and_large},
        {"matmul", square_and_turned},
        {"matmul", few_vectors},
        {"resize", only_one_side_changes},
        {"resize", thrice},
        {"wave", slow_wave},
        {"wave", plane_of_points},
        {"sort", long_power_of_two},
        {"transpose", large_square},
        {"matmul", padded_b_of_one_row},
        {"matmul", padded_a_of_one_column},
        {"matmul", alpha_nearly_one},
        {"matmul", beta_nearly_one},
        {"matmul", negligible_alpha},
        {"matmul", negligible_beta},
        {"matmul", large_factor},
        {"matmul", equal_factors},
        {"matmul", opposite_factors},
    };
    struct error error = {""};
    struct device *cpu;
    assert_int_equal(device_open("cpu", &cpu, &error), STATUS_OK);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct problem *problems;
        size_t count, met = 0;
        assert_int_equal(
            check_problems(kernel_by_name(table[i].kernel, NULL), CHECK_ALL, cpu, 1, &problems, &count, &error),
            STATUS_OK);
        for (size_t p = 0; p < count; p++)
            met += table[i].meets(&problems[p]);
        if (!met)
            print_error("row %zu: %s\n", i, table[i].kernel);
        assert_true(met > 0);
        free(problems);
    }
    device_close(cpu);
}

static void drawn_problems_are_repeated_by_their_text(void **state)
{
    (void)state;
    for (size_t k = 0; kernels[k]; k++)
        for (size_t i = 0; i < 20; i++) {
            struct problem drawn, parsed;
            struct error error = {""};
            char text[PROBLEM_TEXT_MAX], again[PROBLEM_TEXT_MAX];
            assert_true(check_draw(kernels[k], 7, i, i % 4 ? DRAW_LIGHT : DRAW_MEDIUM, &drawn));
            assert_int_equal(problem_parse(problem_text(&drawn, text), &parsed, &error), STATUS_OK);
            assert_string_equal(problem_text(&parsed, again), text);
        }
}

/* ---- a user's own file ---------------------------------------------------------------------------------------- */

static bool is_plain(const struct problem *p)
{
    return problem_real(p, "alpha") == 1 && problem_real(p, "beta") == 0 && !field(p, "transa") &&
           !field(p, "transb") && field(p, "lda_pad") + field(p, "ldb_pad") + field(p, "ldc_pad") == 0;
}

/* As a textbook's product of squares, or of sizes that its tile divides. */
static const char *squares_only(const struct problem *p, const struct device *device,
                                const struct parameters *parameters, char *reason, size_t size)
{
    (void)device, (void)parameters, (void)reason, (void)size;
    return is_plain(p) && field(p, "m") == field(p, "n") && field(p, "n") == field(p, "k") ? NULL : "no square";
}

static const char *whole_tiles_only(const struct problem *p, const struct device *device,
                                    const struct parameters *parameters, char *reason, size_t size)
{
    (void)device, (void)parameters, (void)reason, (void)size;
    return is_plain(p) && field(p, "m") % 16 + field(p, "n") % 16 + field(p, "k") % 16 == 0 ? NULL : "no whole tiles";
}

static bool outer_product(const struct problem *p)
{
    return field(p, "k") < 4 && field(p, "m") > 50 && field(p, "n") > 50;
}

static bool odd_square(const struct problem *p)
{
    return field(p, "m") == field(p, "k") && field(p, "m") > 64 && field(p, "m") % 2;
}

static bool deep_tiles(const struct problem *p)
{
    return field(p, "k") > 256 && field(p, "m") < field(p, "k");
}

static bool few_long_rows(const struct problem *p)
{
    return field(p, "rows") > 1 && field(p, "rows") < 8 && field(p, "cols") > 2000;
}

static bool whole_thousands(const struct problem *p)
{
    return field(p, "n") > 20000 && field(p, "n") % 1024 == 0;
}

/* Many a file serves few of a kernel's problems: those are drawn, all of its own type. */
static void files_meet_problems_that_they_serve(void **state)
{
    (void)state;
    typedef const char *serves(const struct problem *, const struct device *, const struct parameters *, char *,
                               size_t);
    static const struct {
        const char *kernel;
        enum element_type type;
        serves *supports;
        bool (*meets)(const struct problem *problem);
    } table[] = {
        {"matmul", ELEMENT_F64, squares_only, odd_square}, {"matmul", ELEMENT_F32, whole_tiles_only, deep_tiles},
        {"matmul", ELEMENT_F32, NULL, outer_product},      {"transpose", ELEMENT_U16, NULL, few_long_rows},
        {"dot", ELEMENT_F64, NULL, whole_thousands},       {"sort", ELEMENT_I64, NULL, long_power_of_two},
        {"wave", ELEMENT_F32, NULL, plane_of_points},      {"resize", ELEMENT_U8, NULL, thrice},
    };
    struct error error = {""};
    struct device *cpu;
    assert_int_equal(device_open("cpu", &cpu, &error), STATUS_OK);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct rung rung = {.kind = RUNG_HOST, .backends = BACKEND_CPU, .supports = table[i].supports};
        struct draw_target target = {kernel_by_name(table[i].kernel, NULL), &rung, cpu, NULL, table[i].type};
        char reason[256];
        size_t met = 0;
        for (size_t d = 0; d < 48; d++) {
            struct problem drawn;
            struct parameters none = {0};
            assert_true(check_draw_served(&target, 1, d, d < 36 ? DRAW_LIGHT : DRAW_MEDIUM, &drawn));
            assert_int_equal(drawn.type, table[i].type);
            assert_null(rung_refuses(&rung, &drawn, cpu, &none, reason, sizeof reason));
            met += table[i].meets(&drawn);
        }
        if (!met)
            print_error("row %zu: %s\n", i, table[i].kernel);
        assert_true(met > 0);
    }
    device_close(cpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_changes_alone),
        cmocka_unit_test(combinations_of_fields),
        cmocka_unit_test(every_short_side_and_number_of_steps),
        cmocka_unit_test(drawn_problems_are_repeated_by_their_text),
        cmocka_unit_test(files_meet_problems_that_they_serve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
