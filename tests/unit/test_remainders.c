/* Coverage of `uskor check`: a rung that is wrong at one remainder of one side is found; so is one that is wrong at one
 * combination of fields, or with one number of threads. */
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
#include "lab/verification/check_samples.h"

#define WIDEST 16 /* elements that rungs take at once, in their innermost loops */

static int64_t field(const struct problem *problem, const char *name)
{
    return problem_size(problem, name);
}

/* Bit r: a side of at least WIDEST leaves r. Shorter ones are often another path. */
static unsigned remainders_of(const struct kernel *kernel, const char *side)
{
    unsigned met = 0;
    for (size_t i = 0; kernel->edge_cases[i]; i++) {
        struct problem problem;
        struct error error = {""};
        assert_int_equal(problem_parse(kernel->edge_cases[i], &problem, &error), STATUS_OK);
        int64_t size = problem_size(&problem, side);
        if (size >= WIDEST)
            met |= 1U << size % WIDEST;
    }
    return met;
}

static void every_remainder_of_every_side(void **state)
{
    (void)state;
    static const struct {
        const char *kernel, *sides[4];
    } table[] = {
        {"transpose", {"rows", "cols"}},
        {"sort", {"n"}},
        {"dot", {"n"}},
        {"pipeline", {"n"}},
        {"matmul", {"m", "n", "k"}},
        {"resize", {"width", "height", "out_width", "out_height"}},
        {"wave", {"nx", "ny", "nz"}},
    };
    size_t count = 0;
    while (kernels[count])
        count++;
    assert_int_equal(count, sizeof table / sizeof *table); /* a new kernel has a row here */
    for (size_t i = 0; i < count; i++)
        for (size_t s = 0; s < 4 && table[i].sides[s]; s++) {
            unsigned met = remainders_of(kernel_by_name(table[i].kernel, NULL), table[i].sides[s]);
            if (met != (1U << WIDEST) - 1)
                print_error("%s: %s: remainders met: %#x\n", table[i].kernel, table[i].sides[s], met);
            assert_int_equal(met, (1U << WIDEST) - 1);
        }
}

static bool is_of_type(const struct problem *problem, const struct kernel *kernel, size_t type)
{
    return kernel->moves_bits ? element_info(problem->type)->bytes == element_info(kernel->types[type])->bytes
                              : problem->type == kernel->types[type];
}

static unsigned remainders_beyond_tiles(const struct kernel *kernel, size_t type, size_t side,
                                        const struct problem *problems, size_t count)
{
    unsigned met = 0;
    for (size_t p = 0; p < count; p++)
        if (is_of_type(&problems[p], kernel, type) && problems[p].values[side].size >= 2 * WIDEST)
            met |= 1U << problems[p].values[side].size % WIDEST;
    return met;
}

/* … and beyond the tiles that rungs take at once, on every type. */
static void every_remainder_of_every_type(void **state)
{
    (void)state;
    struct error error = {""};
    struct device *cpu;
    assert_int_equal(device_open("cpu", &cpu, &error), STATUS_OK);
    for (size_t i = 0; kernels[i]; i++) {
        struct problem *problems;
        size_t count;
        assert_int_equal(check_problems(kernels[i], CHECK_ALL, cpu, 0, &problems, &count, &error), STATUS_OK);
        for (size_t type = 0; type < kernels[i]->type_count; type++)
            for (size_t f = 0; f < kernels[i]->field_count; f++)
                if (check_draw_is_side(kernels[i], &kernels[i]->fields[f]))
                    assert_int_equal(remainders_beyond_tiles(kernels[i], type, f, problems, count), (1U << WIDEST) - 1);
        free(problems);
    }
    device_close(cpu);
}

/* Whether the side leaves every remainder modulo `modulus` at lengths from `from`, on this type. */
static bool leaves_every_remainder(const struct kernel *kernel, size_t type, size_t side, int64_t from, int64_t modulus,
                                   const struct problem *problems, size_t count)
{
    uint64_t met = 0;
    for (size_t p = 0; p < count; p++)
        if (is_of_type(&problems[p], kernel, type) && problems[p].values[side].size >= from)
            met |= UINT64_C(1) << problems[p].values[side].size % modulus;
    return met == (modulus == 64 ? UINT64_MAX : (UINT64_C(1) << modulus) - 1);
}

/* … modulo the elements of a whole line where there are one or two sides, modulo 32 where there are more; and beyond
 * the blocks that rungs make for the caches. */
static void every_remainder_of_vectors_and_blocks(void **state)
{
    (void)state;
    struct error error = {""};
    struct device *cpu;
    assert_int_equal(device_open("cpu", &cpu, &error), STATUS_OK);
    for (size_t i = 0; kernels[i]; i++) {
        const struct kernel *kernel = kernels[i];
        struct problem *problems;
        size_t count, sides = 0;
        assert_int_equal(check_problems(kernel, CHECK_ALL, cpu, 0, &problems, &count, &error), STATUS_OK);
        for (size_t f = 0; f < kernel->field_count; f++)
            sides += check_draw_is_side(kernel, &kernel->fields[f]);
        for (size_t type = 0; type < kernel->type_count; type++)
            for (size_t f = 0; f < kernel->field_count; f++) {
                if (!check_draw_is_side(kernel, &kernel->fields[f]))
                    continue;
                assert_true(
                    leaves_every_remainder(kernel, type, f, sides < 3 ? 64 : 32, sides < 3 ? 64 : 32, problems, count));
                assert_true(leaves_every_remainder(kernel, type, f,
                                                   sides == 1   ? 8192
                                                   : sides == 2 ? 2048
                                                                : 640,
                                                   sides == 1 ? 64 : 16, problems, count));
            }
        free(problems);
    }
    device_close(cpu);
}

/* A device, too: every type, or element size, leaves every remainder modulo 16. */
static void every_remainder_on_devices(void **state)
{
    (void)state;
    struct error error = {""};
    for (size_t i = 0; kernels[i]; i++) {
        const struct kernel *kernel = kernels[i];
        struct problem *problems;
        size_t count;
        assert_int_equal(check_problems(kernel, CHECK_ALL, NULL, 0, &problems, &count, &error), STATUS_OK);
        for (size_t type = 0; type < kernel->type_count; type++)
            for (size_t f = 0; f < kernel->field_count; f++)
                if (check_draw_is_side(kernel, &kernel->fields[f])) {
                    const unsigned met = remainders_beyond_tiles(kernel, type, f, problems, count);
                    assert_int_equal(met, (1U << WIDEST) - 1);
                }
        free(problems);
    }
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

/* Transposed operands are other code, with remainders of its own. */
static void every_remainder_of_transposed_operands(void **state)
{
    (void)state;
    struct error error = {""};
    struct device *cpu;
    struct problem *problems;
    size_t count;
    uint32_t met[4][3] = {{0}};
    assert_int_equal(device_open("cpu", &cpu, &error), STATUS_OK);
    assert_int_equal(check_problems(kernel_by_name("matmul", NULL), CHECK_ALL, cpu, 0, &problems, &count, &error),
                     STATUS_OK);
    for (size_t p = 0; p < count; p++)
        if (problems[p].type == ELEMENT_F64) {
            uint32_t *sides = met[2 * field(&problems[p], "transa") + field(&problems[p], "transb")];
            sides[0] |= 1U << field(&problems[p], "m") % 32;
            sides[1] |= 1U << field(&problems[p], "n") % 32;
            sides[2] |= 1U << field(&problems[p], "k") % 32;
        }
    for (size_t i = 0; i < 12; i++)
        assert_int_equal(met[i / 3][i % 3], UINT32_MAX);
    free(problems);
    device_close(cpu);
}

/* One missing term of thousands is within the tolerance of random numbers. */
static void long_vectors_leave_every_remainder_exactly(void **state)
{
    (void)state;
    struct error error = {""};
    struct device *cpu;
    struct problem *problems;
    size_t count;
    uint64_t met = 0;
    assert_int_equal(device_open("cpu", &cpu, &error), STATUS_OK);
    assert_int_equal(check_problems(kernel_by_name("dot", NULL), CHECK_ALL, cpu, 0, &problems, &count, &error),
                     STATUS_OK);
    for (size_t p = 0; p < count; p++)
        if (problems[p].type == ELEMENT_F32 && problem_size(&problems[p], "n") > 8000 &&
            strstr(problem_text(&problems[p], (char[PROBLEM_TEXT_MAX]){""}), "input=integers"))
            met |= UINT64_C(1) << problem_size(&problems[p], "n") % 64;
    assert_true(met == UINT64_MAX);
    free(problems);
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

static void combinations_of_fields(void **state)
{
    (void)state;
    static const struct {
        const char *kernel;
        bool (*meets)(const struct problem *problem);
    } table[] = {
        {"matmul", beta_and_padded_c}, {"matmul", turned_and_large},      {"matmul", square_and_turned},
        {"matmul", few_vectors},       {"resize", only_one_side_changes}, {"resize", thrice},
        {"wave", slow_wave},           {"wave", plane_of_points},         {"sort", long_power_of_two},
        {"transpose", large_square},   {"matmul", padded_b_of_one_row},   {"matmul", padded_a_of_one_column},
        {"matmul", alpha_nearly_one},  {"matmul", beta_nearly_one},       {"matmul", negligible_alpha},
        {"matmul", negligible_beta},   {"matmul", large_factor},          {"matmul", equal_factors},
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

/* A device compiles as few settings of the tunables as give each of them each of its values, and all pairs of the ends
 * of two. */
static void settings_have_every_value(void **state)
{
    (void)state;
    struct rung rung = {.name = "tunable", .kind = RUNG_HOST, .backends = BACKEND_CPU, .tunable_count = 2};
    const struct tunable tunables[] = {{.name = "BX", .initial = "8", .values = {8, 16, 32}, .value_count = 3},
                                       {.name = "BY", .initial = "8", .values = {1, 2, 4, 8, 16}, .value_count = 5}};
    memcpy(rung.tunables, tunables, sizeof tunables);
    struct problem problem;
    struct error error = {""};
    struct device *cpu;
    assert_int_equal(device_open("cpu", &cpu, &error), STATUS_OK);
    assert_int_equal(problem_parse("transpose:8", &problem, &error), STATUS_OK);
    assert_int_equal(check_setting_count(&rung), 4 + 5);
    for (uint32_t seed = 1; seed < 20; seed++) {
        int64_t met[2] = {0, 0};
        size_t corners = 0;
        for (size_t which = 0; which < 9; which++) {
            struct overrides drawn;
            assert_true(check_setting(&rung, &problem, cpu, NULL, seed, which, &drawn));
            assert_int_equal(drawn.count, 2);
            met[0] |= drawn.items[0].value;
            met[1] |= drawn.items[1].value;
            corners += which < 4 && (drawn.items[0].value == 8 || drawn.items[0].value == 32) &&
                       (drawn.items[1].value == 1 || drawn.items[1].value == 16);
            if (which == 3)
                assert_int_equal(drawn.items[0].value * drawn.items[1].value, 32 * 16);
        }
        assert_int_equal(met[0], 8 + 16 + 32);
        assert_int_equal(met[1], 1 + 2 + 4 + 8 + 16);
        assert_int_equal(corners, 4);
    }
    device_close(cpu);
}

/* Every count is met; where several are tried, one, two and five by every problem. */
static void numbers_of_threads(void **state)
{
    (void)state;
    unsigned met[2] = {0, 0};
    for (size_t index = 0; index < 16; index++)
        for (size_t t = 0; t < CHECK_THREAD_COUNTS; t++)
            for (int several = 0; several < 2; several++) {
                met[several] |= check_threads_meet(index, t, several) ? 1U << check_thread_counts[t] : 0;
                assert_true(!several || t > 2 || check_threads_meet(index, t, several));
            }
    assert_int_equal(met[0], 0x1fe); /* 1 to 8 */
    assert_int_equal(met[1], 0x1fe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_remainder_of_every_side),
                                       cmocka_unit_test(every_remainder_of_every_type),
                                       cmocka_unit_test(every_remainder_of_vectors_and_blocks),
                                       cmocka_unit_test(every_remainder_on_devices),
                                       cmocka_unit_test(every_field_changes_alone),
                                       cmocka_unit_test(every_remainder_of_transposed_operands),
                                       cmocka_unit_test(long_vectors_leave_every_remainder_exactly),
                                       cmocka_unit_test(combinations_of_fields),
                                       cmocka_unit_test(drawn_problems_are_repeated_by_their_text),
                                       cmocka_unit_test(settings_have_every_value),
                                       cmocka_unit_test(numbers_of_threads),
                                       cmocka_unit_test(files_meet_problems_that_they_serve)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
