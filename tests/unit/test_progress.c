/* The progress bar of a whole run: steps are counted first, then done; what is left is told from what has passed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/clock.h"
#include "base/language.h"
#include "report/terminal/progress.h"

#include <cmocka.h> /* last: it has a macro called fail */

/* 10, 30 and 60 seconds. */
static size_t go_through(struct progress *progress, size_t steps)
{
    static const double seconds[] = {10, 30, 60};
    size_t done = 0;
    for (size_t i = 0; i < steps; i++)
        done += progress_step(progress, "sort", seconds[i]);
    return done;
}

static void steps_make_one_bar(void **state)
{
    (void)state;
    struct progress progress = {.is_counting = true};
    assert_int_equal(go_through(&progress, 3), 0);
    progress.is_counting = false;
    assert_int_equal(go_through(&progress, 1), 1);
    assert_float_equal(progress_fraction(&progress, 0), 0, 1e-9);
    assert_float_equal(progress_fraction(&progress, 0.5), 0.05, 1e-9);
    progress_step(&progress, "sort", 30);
    assert_float_equal(progress_fraction(&progress, 0), 0.1, 1e-9);
    progress_step(&progress, "sort", 60);
    assert_float_equal(progress_fraction(&progress, 0.5), 0.7, 1e-9);
    assert_float_equal(progress_fraction(&progress, 1), 1, 1e-9);
    const struct progress one_piece = {0};
    assert_float_equal(progress_fraction(&one_piece, 0.25), 0.25, 1e-9);
}

static void what_is_left_is_told(void **state)
{
    (void)state;
    char text[512];
    struct progress progress = {.total = 100, .share = 100, .name = "sort", .started = 1};
    assert_non_null(strstr(progress_line(&progress, "radix", 0.2, 30e9, 120, text, sizeof text), "about 2 min left"));
    assert_non_null(strstr(text, " 20 %"));
    assert_non_null(strstr(text, "sort: radix"));
    assert_non_null(strstr(progress_line(&progress, "radix", 0.75, 30e9, 120, text, sizeof text), "about 10 s left"));
    assert_null(strstr(progress_line(&progress, "radix", 0.01, 1e9, 120, text, sizeof text), "left")); /* too early */
    const struct progress not_begun = {0}, one_piece = {.started = 1};
    assert_null(strstr(progress_line(&not_begun, "radix", 0.5, 30e9, 120, text, sizeof text), "left"));
    assert_non_null(strstr(progress_line(&one_piece, "radix", 0.5, 30e9, 120, text, sizeof text), "about 30 s left"));
    language_choose(LANGUAGE_RUSSIAN);
    assert_non_null(
        strstr(progress_line(&progress, "radix", 0.75, 30e9, 120, text, sizeof text), "осталось около 10 с"));
    language_choose(LANGUAGE_ENGLISH);
}

/* A line that is too long would be two lines, and the next bar would not cover it. */
static void bars_fit(void **state)
{
    (void)state;
    char text[512];
    struct progress progress = {.total = 100, .share = 100, .name = "transpose", .started = 1};
    progress_line(&progress, "a-rung-with-a-very-long-name-indeed-as-long-as-that", 0.5, 30e9, 60, text, sizeof text);
    size_t letters = 0;
    for (const char *at = text; *at; at++)
        letters += ((unsigned char)*at & 0xC0) != 0x80;
    assert_true(letters <= 60 && letters > 40);
}

/* In a pipe: made-up seconds, while one run lasts and nothing is shown anew. */
static void long_runs_are_told_of(void **state)
{
    (void)state;
    char text[512];
    struct progress progress = {.total = 100, .share = 100, .name = "matmul", .started = 1};
    progress_end();
    assert_false(progress_due(1e18, text, sizeof text)); /* nothing is under way */
    progress_begin();
    const double begun = (double)clock_now();
    assert_false(progress_due(begun + (PROGRESS_LINE_SECONDS - 1) * 1e9, text, sizeof text));
    assert_true(progress_due(begun + (PROGRESS_LINE_SECONDS + 1) * 1e9, text, sizeof text));
    assert_memory_equal(text, "at work for 2", strlen("at work for 2")); /* 21 s, and a pause in between */
    assert_false(progress_due(begun + (2 * PROGRESS_LINE_SECONDS) * 1e9, text, sizeof text));
    progress_step(&progress, "matmul", 100);
    progress_show(&progress, "naive", 0.25);
    assert_true(progress_due(begun + (2 * PROGRESS_LINE_SECONDS + 2) * 1e9, text, sizeof text));
    assert_non_null(strstr(text, "matmul: naive"));
    progress_end();
    assert_false(progress_due(begun + 1e15, text, sizeof text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_make_one_bar),
        cmocka_unit_test(what_is_left_is_told),
        cmocka_unit_test(bars_fit),
        cmocka_unit_test(long_runs_are_told_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
