/* An exercise's page: its task, its skeleton's commands, and a table of points that grows from a wrong answer's 0 to
 * 100. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exercises/exercise.h"

#include <cmocka.h> /* last: it has a macro called fail */

static char *page_of(const struct exercise *exercise, const char *skeleton)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    assert_non_null(stream);
    exercise_write_text(stream, exercise, skeleton);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static void expect_in(const char *text, const char *words)
{
    if (!strstr(text, words))
        fail_msg("'%s' is not in: %s", words, text);
}

/* The points of the table's rows, in their order; returns how many. */
static size_t points_of(const char *text, unsigned *points, size_t most)
{
    size_t count = 0;
    for (const char *row = strstr(text, "|---|---|\n"); row && count < most; row = strchr(row, '\n')) {
        const char *cell;
        row += row[0] == '\n';
        if (row[0] != '|')
            break;
        cell = strchr(row, '\n');
        while (cell[-1] != '|' || cell[-2] != ' ')
            cell--;
        for (cell -= 2; cell[-1] != ' ';)
            cell--;
        if (row[1] != '-')
            points[count++] = (unsigned)atoi(cell);
    }
    return count;
}

static void test_points(void **state)
{
    (void)state;
    for (size_t i = 0; i < exercise_count; i++) {
        const struct exercise *exercise = &exercises[i];
        unsigned points[64];
        char *text = page_of(exercise, "skeleton.x");
        const size_t levels = exercise_levels(exercise);
        assert_int_equal(points_of(text, points, 64), levels + 2);
        assert_int_equal(points[0], 0);
        assert_int_equal(points[1], EXERCISE_POINTS_RIGHT);
        for (size_t level = 1; level <= levels; level++) {
            assert_int_equal(points[1 + level], exercise_points(exercise, level));
            assert_true(points[1 + level] >= points[level] + EXERCISE_LEVEL_POINTS);
        }
        assert_int_equal(points[1 + levels], EXERCISE_POINTS_RIGHT + EXERCISE_POINTS_SPEED);
        free(text);
    }
}

static void test_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < exercise_count; i++) {
        const struct exercise *exercise = &exercises[i];
        char *text = page_of(exercise, "skeleton.x"), words[256];
        snprintf(words, sizeof words, "# %s\n", exercise->heading);
        assert_int_equal(strncmp(text, words, strlen(words)), 0);
        expect_in(text, exercise->task);
        expect_in(text, exercise->drawing);
        expect_in(text, exercise->hint);
        expect_in(text, exercise->measured);
        snprintf(words, sizeof words, "\nuskor try %s skeleton.x\nuskor try %s skeleton.x --watch\n", exercise->kernel,
                 exercise->kernel);
        expect_in(text, words);
        snprintf(words, sizeof words, "uskor explain %s --file skeleton.x\n", exercise->kernel);
        assert_int_equal(strstr(text, words) != NULL, !exercise->on_cpu);
        assert_int_equal(strstr(text, "PoCL") != NULL, !exercise->on_cpu);
        assert_int_equal(strstr(text, "CUDA C (.cu)") != NULL, !exercise->on_cpu);
        snprintf(words, sizeof words, "| right, and as fast as `%s` | 100 |",
                 exercise->steps[exercise_steps(exercise)]);
        expect_in(text, words);
        expect_in(text, "at most 1.3 × the time of that rung");
        expect_in(text, "a factor of at least 1.5 in time");
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_points), cmocka_unit_test(test_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
