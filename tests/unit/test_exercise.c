/* Exercises: what they name is there, and a grade does not hang on noise. */
#include <math.h>
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

static const struct exercise two = {.steps = {"a", "b"}}, three = {.steps = {"a", "b", "c"}};

static size_t level_of(const struct exercise *exercise, const double *times, double mine, bool close)
{
    bool is_close;
    size_t level = exercise_level(exercise, times, mine, &is_close);
    assert_true(is_close == close);
    return level;
}

/* A long way has levels between its ends, evenly on a logarithmic scale. */
static void test_levels(void **state)
{
    (void)state;
    const double times[] = {1600, 100};
    assert_int_equal(exercise_levels(&two), 4);
    assert_int_equal(level_of(&two, times, 1, false), 4);
    assert_int_equal(level_of(&two, times, 100, false), 4);
    assert_int_equal(level_of(&two, times, 128, true), 4); /* as fast: 1.3 times */
    assert_int_equal(level_of(&two, times, 132, true), 3);
    assert_int_equal(level_of(&two, times, 200, false), 3); /* 16 to 1 in four parts: twice the time each */
    assert_int_equal(level_of(&two, times, 320, false), 2);
    assert_int_equal(level_of(&two, times, 700, false), 1);
    assert_int_equal(level_of(&two, times, 1600, false), 0);
    assert_int_equal(level_of(&two, times, 16000, false), 0);
    for (int i = 0; i < 370; i++) { /* from 2000 to 50: faster is never worth less */
        bool is_close;
        double mine = 2000 / pow(1.01, i);
        assert_true(exercise_level(&two, times, mine, &is_close) <=
                    exercise_level(&two, times, mine / 1.01, &is_close));
    }
}

/* On a short way the levels are no nearer to each other than the clock can tell. */
static void test_short_way(void **state)
{
    (void)state;
    const double times[] = {150, 100};
    assert_int_equal(level_of(&two, times, 150, false), 3);
    assert_int_equal(level_of(&two, times, 240, false), 2);
    assert_int_equal(level_of(&two, times, 1000, false), 0);
    assert_false(exercise_is_flat(&two, times));
    assert_true(exercise_is_flat(&two, (const double[]){120, 100}));
    assert_false(exercise_is_flat(&two, (const double[]){120, 0}));
}

static void test_steps(void **state)
{
    (void)state;
    const double times[] = {1600, 400, 100};
    assert_int_equal(exercise_levels(&three), 4);
    assert_int_equal(level_of(&three, times, 100, false), 4);
    assert_int_equal(level_of(&three, times, 200, false), 3);
    assert_int_equal(level_of(&three, times, 400, false), 2);
    assert_int_equal(level_of(&three, times, 800, false), 1);
    assert_int_equal(level_of(&three, times, 1600, false), 0);
    assert_int_equal(exercise_step(&three, 4), 2);
    assert_int_equal(exercise_step(&three, 3), 1);
    assert_int_equal(exercise_step(&three, 1), 0);
}

/* A rung that did not run is not reached, whatever the time. */
static void test_absent(void **state)
{
    (void)state;
    const double times[] = {400, 0, 0}, some[] = {400, 0, 100};
    assert_int_equal(level_of(&three, times, 1, false), 0);
    assert_int_equal(level_of(&three, some, 90, false), 4);
}

static void test_points(void **state)
{
    (void)state;
    const unsigned points[] = {60, 70, 80, 90, 100};
    for (size_t level = 0; level <= 4; level++) {
        assert_int_equal(exercise_points(&two, level), points[level]);
        assert_int_equal(exercise_points(&three, level), points[level]);
    }
}

/* A noise of a few percent, the same for everybody who has the same seed. */
static double noise(unsigned *seed)
{
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        *seed = *seed * 1664525u + 1013904223u;
        sum += (double)(*seed >> 8) / (1 << 24) - 0.5;
    }
    return 1 + 0.05 * sum; /* of a standard deviation of 3 % */
}

static size_t grade(double mine, unsigned *seed, size_t *looks_made)
{
    struct exercise_looks looks = {0};
    bool is_wanted = true, is_close;
    while (is_wanted) {
        const double times[] = {1600 * noise(seed), 100 * noise(seed)};
        size_t level = exercise_level(&two, times, mine * noise(seed), &is_close);
        is_wanted = exercise_look(&looks, level, is_close);
    }
    *looks_made += looks.count;
    return exercise_looks_level(&looks);
}

/* Twenty gradings of one file have the same points; only a time within half the noise of a limit may fail of that. */
static void test_twenty(void **state)
{
    (void)state;
    unsigned seed = 1;
    size_t files = 0, steady = 0, looks = 0;
    for (int f = 0; f < 232; f++) { /* from 90 to 1800 */
        double mine = 90 * pow(1.013, f);
        size_t first = grade(mine, &seed, &looks);
        bool same = true;
        for (int i = 1; i < 20; i++)
            same = same && grade(mine, &seed, &looks) == first;
        files++;
        steady += same;
    }
    assert_true(steady * 100 >= 90 * files);
    assert_true(looks < files * 20 * 4); /* and few files need many looks */
}

static void test_looks(void **state)
{
    (void)state;
    struct exercise_looks looks = {0};
    assert_true(exercise_look(&looks, 3, false));
    assert_false(exercise_look(&looks, 3, false)); /* two that agree */
    looks = (struct exercise_looks){0};
    for (int i = 0; i < 3; i++)
        assert_true(exercise_look(&looks, 3, i == 0));
    assert_false(exercise_look(&looks, 3, false)); /* four, near a limit */
    looks = (struct exercise_looks){0};
    for (size_t i = 0; i + 1 < EXERCISE_LOOKS_MOST; i++)
        assert_true(exercise_look(&looks, 2 + i % 2, true));
    assert_int_equal(exercise_looks_level(&looks), 3); /* as many of either: the higher */
    assert_false(exercise_look(&looks, 2, true));
    assert_int_equal(exercise_looks_level(&looks), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),     cmocka_unit_test(test_every_ladder), cmocka_unit_test(test_levels),
        cmocka_unit_test(test_short_way), cmocka_unit_test(test_steps),        cmocka_unit_test(test_absent),
        cmocka_unit_test(test_points),    cmocka_unit_test(test_looks),        cmocka_unit_test(test_twenty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
