/* The problems of a check are the same ones on every machine and in every version, as a failure names a seed and a
 * number. What they are to be like is in test_combinations, test_parameters and test_remainders. */
#include "backends/backend.h"
#include "base/size.h"
#include "kernels/kernel.h"
#include "lab/verification/check.h"
#include "lab/verification/check_draws.h"
#include "lab/verification/check_shapes.h"
#include "tables.h"

static void print_problem(FILE *stream, const struct problem *problem)
{
    char text[PROBLEM_TEXT_MAX];
    fprintf(stream, "%s\n", problem_text(problem, text));
}

static void print_draws(FILE *stream)
{
    static const char *const names[] = {"transpose", "matmul", "resize", "sort", "wave", "dot"};
    struct error error = {""};
    struct problem problem;
    for (size_t k = 0; k < COUNT_OF(names); k++)
        for (size_t i = 0; i < 32; i++)
            if (check_draw(kernel_by_name(names[k], &error), 7, i, i < 24 ? DRAW_LIGHT : DRAW_MEDIUM, &problem))
                print_problem(stream, &problem);
            else
                fprintf(stream, "%s: none of number %zu\n", names[k], i);
}

static void print_shapes(FILE *stream)
{
    static const char *const names[] = {"transpose", "sort", "wave", "resize"};
    struct error error = {""};
    struct problem problem;
    for (size_t k = 0; k < COUNT_OF(names); k++) {
        const struct kernel *kernel = kernel_by_name(names[k], &error);
        for (size_t i = 0; i < check_shape_count(kernel); i++)
            if (check_shape(kernel, ELEMENT_F32, i, &problem)) {
                fprintf(stream, "%s%s", check_shape_is_for_devices(kernel, i, true) ? "+" : "-",
                        check_shape_is_for_devices(kernel, i, false) ? "+ " : "- ");
                print_problem(stream, &problem);
            }
    }
}

static void print_counts(FILE *stream)
{
    static const char *const extents[] = {"all", "large", "small", "tiny"};
    struct error error = {""};
    for (size_t k = 0; kernels[k]; k++)
        for (int extent = CHECK_ALL; extent <= CHECK_TINY; extent++)
            for (uint32_t seed = 0; seed < 2; seed++) {
                struct problem *problems = NULL;
                size_t count = 0, light = 0;
                assert_int_equal(
                    check_problems(kernels[k], (enum check_extent)extent, NULL, seed, &problems, &count, &error),
                    STATUS_OK);
                for (size_t i = 0; i < count; i++)
                    light += check_is_light(&problems[i]);
                fprintf(stream, "%s, %s%s: %zu, %zu of them light\n", kernels[k]->name, extents[extent],
                        seed ? ", drawn ones too" : "", count, light);
                free(problems);
            }
}

static void draws(void **state)
{
    (void)state;
    SHOWS("drawn", print_draws(stream));
}

static void shapes(void **state)
{
    (void)state;
    SHOWS("shapes", print_shapes(stream));
}

static void counts(void **state)
{
    (void)state;
    SHOWS("checked", print_counts(stream));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(draws), cmocka_unit_test(shapes), cmocka_unit_test(counts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
