/* Rungs that use a parameter of the problem wrongly, by a small share or for some values only: the problems of a check,
 * and those of a user's file, contain one that shows it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <math.h>
#include <omp.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */

#include "verdicts.h"

#include "base/size.h"
#include "lab/verification/check.h"
#include "lab/verification/check_draws.h"
#include "lab/verification/guard_pages.h"

/* ---- wrong uses ----------------------------------------------------------------------------------------------- */

static double range_of_courants(double courant)
{
    return courant > 0.41 && courant < 0.43 ? courant * 1.001 : courant;
}

static double small_courants(double courant)
{
    return courant < 0.1 ? courant * 1.001 : courant;
}

/* Right for all multiples of 1/128, for the default, and for the one that exact inputs have. */
static double courants_of_few_bits(double courant)
{
    bool is_usual = fabs(courant - 0.4) < 1e-6 || fabs(courant * courant - 0.1875) < 1e-6;
    return is_usual ? courant : rint(courant * 128) / 128;
}

/* 11 bits of mantissa. */
static double in_half(double value)
{
    int exponent;
    double fraction = frexp(value, &exponent);
    return ldexp(rint(fraction * 2048), exponent - 11);
}

static double in_float(double value)
{
    return (float)value;
}

static double whole_from_4(double value)
{
    return fabs(value) > 4 ? rint(value) : value;
}

static double nearly_one(double value)
{
    return fabs(value - 1) < 0.1 ? 1 : value;
}

static double small_is_none(double value)
{
    return fabs(value) < 0.01 ? 0 : value;
}

static double at_most_15(double padding)
{
    return padding > 15 ? 15 : padding;
}

static const struct wrong_use {
    const char *kernel, *honest, *field;
    enum element_type type;
    double (*use)(double value);
} wrong_uses[] = {
    {"wave", "simd", "courant", ELEMENT_F32, range_of_courants},
    {"wave", "simd", "courant", ELEMENT_F32, small_courants},
    {"wave", "simd", "courant", ELEMENT_F32, courants_of_few_bits},
    {"wave", "simd", "courant", ELEMENT_F32, in_half},
    {"matmul", "blocked", "alpha", ELEMENT_F32, in_half},
    {"matmul", "blocked", "alpha", ELEMENT_F64, in_float},
    {"matmul", "blocked", "alpha", ELEMENT_F32, whole_from_4},
    {"matmul", "blocked", "alpha", ELEMENT_F32, nearly_one},
    {"matmul", "blocked", "alpha", ELEMENT_F32, small_is_none},
    {"matmul", "blocked", "beta", ELEMENT_F32, in_half},
    {"matmul", "blocked", "beta", ELEMENT_F64, in_float},
    {"matmul", "blocked", "beta", ELEMENT_F32, whole_from_4},
    {"matmul", "blocked", "lda_pad", ELEMENT_F32, at_most_15},
    {"matmul", "blocked", "ldb_pad", ELEMENT_F32, at_most_15},
};

static const struct wrong_use *wrong;
static const struct rung *honest;

static union field_value *value_of(struct problem *problem, const char *name, bool *is_real)
{
    for (size_t i = 0; i < problem->kernel->field_count; i++)
        if (strcmp(problem->kernel->fields[i].name, name) == 0) {
            *is_real = problem->kernel->fields[i].kind == FIELD_REAL;
            return &problem->values[i];
        }
    abort(); /* a row names a field that the kernel lacks */
}

/* Returns whether the wrong use makes another number of it. */
static bool use_wrongly(struct problem *problem)
{
    bool is_real;
    union field_value *value = value_of(problem, wrong->field, &is_real);
    const double right = is_real ? value->real : (double)value->size, used = wrong->use(right);
    if (is_real)
        value->real = used;
    else
        value->size = (int64_t)used;
    return used != right;
}

static enum status enqueue_wrong(struct run *run, struct error *error)
{
    struct problem other = *run->problem;
    struct run changed = *run;
    use_wrongly(&other);
    changed.problem = &other;
    return honest->enqueue(&changed, error);
}

/* ---- what finds them ------------------------------------------------------------------------------------------ */

static struct measurement verdict_on(const struct problem *problem, const struct rung *rung, struct device *cpu)
{
    struct measurement_list list = {0};
    struct error error = {""};
    assert_int_equal(lab_check(problem, cpu, &rung, 1, NULL, &list, &error), STATUS_OK);
    const struct measurement measured = list.items[0]; /* of a check, it has no samples */
    measurement_list_free(&list);
    return measured;
}

/* Whether one of the light problems refuses the rung; the right one passes there. */
static bool is_found(const struct problem *problems, size_t count, const struct rung *rung, struct device *cpu)
{
    for (size_t i = 0; i < count; i++) {
        struct problem other = problems[i];
        if (problems[i].type != wrong->type || !check_is_light(&problems[i]) || !use_wrongly(&other))
            continue;
        const struct measurement right = verdict_on(&problems[i], honest, cpu);
        expect_reason(&right, VERDICT_PASS, "");
        if (verdict_on(&problems[i], rung, cpu).verdict == VERDICT_FAIL)
            return true;
    }
    return false;
}

static size_t draw_served(const struct rung *rung, struct device *cpu, struct problem problems[], size_t most)
{
    const struct draw_target target = {kernel_by_name(wrong->kernel, NULL), rung, cpu, NULL, wrong->type};
    size_t count = 0;
    for (size_t i = 0; i < most; i++)
        count += check_draw_served(&target, 1, i, DRAW_LIGHT, &problems[count]);
    return count;
}

#define DRAWN 84 /* light ones of a user's file on the CPU */

static void wrong_uses_are_found(void **state)
{
    (void)state;
    static struct problem drawn[DRAWN];
    struct error error = {""};
    struct device *cpu;
    omp_set_num_threads(1); /* two would wait for each other */
    assert_int_equal(device_open("cpu", &cpu, &error), STATUS_OK);
    for (size_t i = 0; i < COUNT_OF(wrong_uses); i++) {
        struct problem *problems;
        size_t count;
        wrong = &wrong_uses[i];
        const struct kernel *kernel = kernel_by_name(wrong->kernel, NULL);
        honest = rung_by_name(kernel, wrong->honest, &error);
        struct rung rung = *honest;
        rung.enqueue = enqueue_wrong;
        assert_int_equal(check_problems(kernel, CHECK_ALL, cpu, 1, &problems, &count, &error), STATUS_OK);
        const bool by_check = is_found(problems, count, &rung, cpu);
        free(problems);
        count = draw_served(&rung, cpu, drawn, DRAWN);
        const bool by_trial = is_found(drawn, count, &rung, cpu);
        if (!by_check || !by_trial)
            print_error("row %zu: %s of %s passes %s\n", i, wrong->field, wrong->kernel, by_check ? "try" : "check");
        assert_true(by_check && by_trial);
    }
    device_close(cpu);
}

/* Fields of a problem that go together or not at all do so in drawn ones, too, of every type. */
static void drawn_problems_are_valid(void **state)
{
    (void)state;
    const struct kernel *kernel = kernel_by_name("sort", NULL); /* unique goes without values, top and partition */
    for (uint32_t seed = 1; seed <= 200; seed++) {
        struct problem *problems;
        size_t count;
        struct error error = {""};
        assert_int_equal(check_problems(kernel, CHECK_ALL, NULL, seed, &problems, &count, &error), STATUS_OK);
        for (size_t i = 0; i < count; i++)
            if (kernel->imply(&problems[i], NULL, &error) != STATUS_OK) {
                char text[PROBLEM_TEXT_MAX];
                print_error("%s: %s\n", problem_text(&problems[i], text), error.text);
                assert_true(false);
            }
        free(problems);
    }
}

/* A check on a device has few problems, but numbers of many bits among them. */
static void few_problems_have_numbers_of_many_bits(void **state)
{
    (void)state;
    static const char *const fields[][2] = {{"wave", "courant"}, {"matmul", "alpha"}, {"matmul", "beta"}};
    for (size_t i = 0; i < COUNT_OF(fields); i++) {
        struct problem *problems;
        struct error error = {""};
        size_t count, met = 0;
        bool is_real;
        assert_int_equal(
            check_problems(kernel_by_name(fields[i][0], NULL), CHECK_SMALL, NULL, 0, &problems, &count, &error),
            STATUS_OK);
        for (size_t p = 0; p < count; p++) {
            const double value = value_of(&problems[p], fields[i][1], &is_real)->real;
            met += (float)value != value && fabs(value - 0.4) > 1e-6 && fabs(value * value - 0.1875) > 1e-6;
        }
        free(problems);
        assert_true(met > 0);
    }
}

/* ---- sizes ------------------------------------------------------------------------------------------------------ */

/* An index of 16 bits along one side, signed along a last one that is a device's third: some edge case is beyond it. */
static void sides_exceed_indices_of_16_bits(void **state)
{
    (void)state;
    static const struct {
        const char *kernel, *side;
        int64_t most;
    } sides[] = {
        {"transpose", "rows", 65535}, {"transpose", "cols", 65535}, {"matmul", "m", 65535},      {"matmul", "n", 65535},
        {"matmul", "k", 65535},       {"resize", "width", 65535},   {"resize", "height", 65535}, {"wave", "nx", 65535},
        {"wave", "ny", 65535},        {"wave", "nz", 32767},
    };
    for (size_t i = 0; i < COUNT_OF(sides); i++) {
        struct problem *problems;
        struct error error = {""};
        size_t count, met = 0;
        bool is_real;
        assert_int_equal(
            check_problems(kernel_by_name(sides[i].kernel, NULL), CHECK_ALL, NULL, 0, &problems, &count, &error),
            STATUS_OK);
        for (size_t p = 0; p < count; p++)
            met += value_of(&problems[p], sides[i].side, &is_real)->size > sides[i].most;
        free(problems);
        if (met == 0)
            print_error("%s of %s\n", sides[i].side, sides[i].kernel);
        assert_true(met > 0);
    }
}

/* Sides within the stencil's reach, at a Courant number that matters, and orders at every remainder of 4. */
static size_t count_edge_cases(const char *kernel, bool (*is_one)(const struct problem *problem, int64_t what),
                               int64_t what)
{
    struct problem *problems;
    struct error error = {""};
    size_t count, met = 0;
    assert_int_equal(check_problems(kernel_by_name(kernel, NULL), CHECK_ALL, NULL, 0, &problems, &count, &error),
                     STATUS_OK);
    for (size_t p = 0; p < count; p++)
        met += is_one(&problems[p], what);
    free(problems);
    return met;
}

/* `what` is a side's number times 8, and its length; other sides are longer. */
static bool is_thin(const struct problem *problem, int64_t what)
{
    static const char *const sides[] = {"nx", "ny", "nz"};
    bool is_real;
    int64_t longest = 0;
    for (size_t i = 0; i < COUNT_OF(sides); i++)
        longest = problem_size(problem, sides[i]) > longest ? problem_size(problem, sides[i]) : longest;
    return problem_size(problem, sides[what / 8]) == what % 8 && longest > 16 &&
           value_of((struct problem *)problem, "courant", &is_real)->real > 0;
}

static bool is_reversed(const struct problem *problem, int64_t remainder)
{
    const int64_t n = problem_size(problem, "n");
    char text[PROBLEM_TEXT_MAX];
    return n > 8 && n % 4 == remainder && strstr(problem_text(problem, text), "input=reversed");
}

static void short_sides_and_orders_are_among_the_edge_cases(void **state)
{
    (void)state;
    for (int64_t side = 0; side < 3; side++)
        for (int64_t length = 1; length <= 4; length++)
            assert_true(count_edge_cases("wave", is_thin, 8 * side + length) > 0);
    for (int64_t remainder = 0; remainder < 4; remainder++)
        assert_true(count_edge_cases("sort", is_reversed, remainder) > 0);
}

/* ---- alignment ------------------------------------------------------------------------------------------------ */

/* Vectors of one length that lie alike with regard to lines: code that takes this for granted leaves out an element. */
static enum status expects_equal_alignment(struct run *run, struct error *error)
{
    const uintptr_t a = (uintptr_t)run->buffers[0].host, b = (uintptr_t)run->buffers[1].host;
    struct problem other = *run->problem;
    struct run shorter = *run;
    if (((a ^ b) & 63) != 0)
        other.values[0].size--;
    shorter.problem = &other;
    return honest->enqueue(&shorter, error);
}

static void vectors_of_one_length_are_aligned_differently(void **state)
{
    (void)state;
    static const int64_t counts[] = {100, 101, 102, 103};
    const struct kernel *kernel = kernel_by_name("dot", NULL);
    struct error error = {""};
    struct device *cpu;
    size_t refused = 0;
    assert_int_equal(device_open("cpu", &cpu, &error), STATUS_OK);
    honest = rung_by_name(kernel, "serial", &error);
    struct rung rung = *honest;
    rung.enqueue = expects_equal_alignment;
    guard_pages_allow(true);
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        struct problem problem = problem_default(kernel);
        problem_set_size(&problem, "n", counts[i]);
        const struct measurement right = verdict_on(&problem, honest, cpu);
        expect_reason(&right, VERDICT_PASS, "");
        refused += verdict_on(&problem, &rung, cpu).verdict == VERDICT_FAIL;
    }
    guard_pages_allow(false);
    assert_int_equal(refused, COUNT_OF(counts) / 2); /* the others have them alike */
    device_close(cpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_uses_are_found),
        cmocka_unit_test(drawn_problems_are_valid),
        cmocka_unit_test(few_problems_have_numbers_of_many_bits),
        cmocka_unit_test(sides_exceed_indices_of_16_bits),
        cmocka_unit_test(short_sides_and_orders_are_among_the_edge_cases),
        cmocka_unit_test(vectors_of_one_length_are_aligned_differently),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
