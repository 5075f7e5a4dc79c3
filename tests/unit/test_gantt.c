/* A timeline as a chart of characters: each column has what its queue, or its phase, does longest in that time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "report/terminal/gantt.h"

#include <cmocka.h> /* last: it has a macro called fail */

/* Two parts of 10 us in all: with ten columns each is a microsecond. */
static struct timeline_part two[] = {
    {.queue = 0, .in = {0, 2000}, .compute = {2000, 6000}, .out = {6000, 8000}},
    {.queue = 1, .in = {2000, 4000}, .compute = {6000, 8000}, .out = {8000, 10000}},
};

static char *printed(const struct timeline *timeline, struct style style)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    assert_non_null(stream);
    gantt_print(stream, timeline, style);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static void expect_lines(const struct timeline *timeline, int columns, const char *const *lines, size_t count)
{
    char *text = printed(timeline, (struct style){.width = 13 + columns}), *at = text;
    for (size_t i = 0; i < count; i++)
        if (!(at = strstr(at, lines[i])))
            fail_msg("'%s' is not, in its place, in: %s", lines[i], text);
    free(text);
}

static void test_queues(void **state)
{
    (void)state;
    const struct timeline timeline = {.queues = 2, .count = COUNT_OF(two), .parts = two};
    static const char *const lines[] = {"2 queues", "2 parts", "10.0 µs", "queue 1    ▸▸████◂◂··\n",
                                        "queue 2    ··▸▸··██◂◂\n"};
    expect_lines(&timeline, 10, lines, COUNT_OF(lines));
    static const char *const few[] = {"queue 1    ▸██◂·\n", "queue 2    ·▸·█◂\n"};
    expect_lines(&timeline, 5, few, COUNT_OF(few));
}

static void test_phases(void **state)
{
    (void)state;
    const struct timeline timeline = {.queues = 3, .by_phase = true, .count = COUNT_OF(two), .parts = two};
    static const char *const lines[] = {"a queue a phase", "copy in    ▸▸▸▸······\n", "compute    ··██████··\n",
                                        "copy out   ······◂◂◂◂\n"};
    expect_lines(&timeline, 10, lines, COUNT_OF(lines));
}

/* The longest of a column is shown, be it waiting. */
static void test_the_longest(void **state)
{
    (void)state;
    struct timeline_part parts[] = {{.queue = 0, .in = {0, 499}, .compute = {499, 1101}, .out = {1600, 2000}}};
    const struct timeline timeline = {.queues = 1, .count = 1, .parts = parts};
    static const char *const lines[] = {"1 queue,", "queue 1    █·\n"};
    expect_lines(&timeline, 2, lines, COUNT_OF(lines));
}

static void test_colours_and_nothing(void **state)
{
    (void)state;
    const struct timeline timeline = {.queues = 1, .count = 1, .parts = two}, none = {.queues = 1};
    char *text = printed(&timeline, (struct style){.width = 13 + 4, .colour = true});
    assert_non_null(strstr(text, "\033[34m▸"));
    assert_non_null(strstr(text, "\033[32m█"));
    assert_non_null(strstr(text, "\033[33m◂"));
    free(text);
    text = printed(&none, (struct style){.width = 80});
    assert_string_equal(text, "");
    free(text);
}

/* At most 120 columns, however wide the terminal is. */
static void test_width(void **state)
{
    (void)state;
    const struct timeline timeline = {.queues = 1, .count = 1, .parts = two};
    char *text = printed(&timeline, (struct style){.width = 500});
    const char *row = strstr(text, "queue 1    ");
    size_t letters = 0;
    assert_non_null(row);
    for (row += strlen("queue 1    "); *row && *row != '\n'; row++)
        letters += ((unsigned char)*row & 0xC0) != 0x80; /* of UTF-8 */
    assert_int_equal(letters, 120 - 13);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_queues),      cmocka_unit_test(test_phases),
        cmocka_unit_test(test_the_longest), cmocka_unit_test(test_colours_and_nothing),
        cmocka_unit_test(test_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
