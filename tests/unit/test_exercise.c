/* Exercises: what they name is there, and a grade does not hang on noise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "exercises/exercise.h"
#include "kernels/kernel.h"

#include <cmocka.h>

/* Kernel, steps and problems exist; the model solution is the rung that names the exercise; there is a skeleton. */
static void test_table(void **state)
{
    (void)state;
    assert_true(exercise_count >= 6);
    for (size_t i = 0; i < exercise_count; i++) {
        const struct exercise *exercise = &exercises[i];
        struct error error;
        struct problem problem;
        const struct kernel *kernel = kernel_by_name(exercise->kernel, &error);
        assert_non_null(kernel);
        size_t last = exercise_steps(exercise);
        assert_true(last >= 1);
        for (size_t step = 0; step <= last; step++)
            assert_non_null(rung_by_name(kernel, exercise->steps[step], &error));
        assert_string_equal(strchr(exercise->name, ':') + 1, exercise->steps[last]);
        assert_int_equal(problem_parse(exercise->problem, &problem, &error), STATUS_OK);
        assert_ptr_equal(problem.kernel, kernel);
        assert_true(exercise->on_cpu == (exercise->cpu_problem == NULL));
        if (exercise->cpu_problem)
            assert_int_equal(problem_parse(exercise->cpu_problem, &problem, &error), STATUS_OK);
        bool is_host = rung_by_name(kernel, exercise->steps[last], &error)->kind == RUNG_HOST;
        assert_true(is_host == exercise->on_cpu);
        assert_ptr_equal(exercise_by_name(exercise->name, &error), exercise);
    }
}

/* One exercise for each ladder that takes a user's file. */
static void test_every_ladder(void **state)
{
    (void)state;
    for (size_t k = 0; kernels[k]; k++) {
        bool has_one = kernels[k]->plain == NULL;
        for (size_t i = 0; i < exercise_count; i++)
            has_one = has_one || strcmp(exercises[i].kernel, kernels[k]->name) == 0;
        assert_true(has_one);
    }
}

static const struct exercise three = {.steps = {"a", "b", "c"}};

static void test_steps(void **state)
{
    (void)state;
    const double times[] = {400, 200, 100};
    bool is_close;
    assert_int_equal(exercise_step(&three, times, 1000, &is_close), 0);
    assert_false(is_close);
    assert_int_equal(exercise_step(&three, times, 210, &is_close), 1);
    assert_false(is_close);
    assert_int_equal(exercise_step(&three, times, 110, &is_close), 2);
    assert_false(is_close);
    assert_int_equal(exercise_step(&three, times, 50, &is_close), 2);
    /* In the dead band: reached, and worth another look; just beyond it: lost, and worth one too. */
    assert_int_equal(exercise_step(&three, times, 130, &is_close), 2);
    assert_true(is_close);
    assert_int_equal(exercise_step(&three, times, 140, &is_close), 1);
    assert_true(is_close);
    assert_int_equal(exercise_step(&three, times, 160, &is_close), 1);
    assert_false(is_close);
}

/* A rung that did not run is not reached, whatever the time. */
static void test_absent(void **state)
{
    (void)state;
    const double times[] = {400, 0, 0}, some[] = {400, 0, 100};
    bool is_close;
    assert_int_equal(exercise_step(&three, times, 1, &is_close), 0);
    assert_false(is_close);
    assert_int_equal(exercise_step(&three, some, 90, &is_close), 2);
}

static void test_points(void **state)
{
    (void)state;
    assert_int_equal(exercise_points(&three, 0), 60);
    assert_int_equal(exercise_points(&three, 1), 80);
    assert_int_equal(exercise_points(&three, 2), 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),  cmocka_unit_test(test_every_ladder), cmocka_unit_test(test_steps),
        cmocka_unit_test(test_absent), cmocka_unit_test(test_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
