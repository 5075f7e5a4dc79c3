/* What a file that reads or writes past an array may have forgotten: the test of its items' numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "cli/commands/try_job.h"
#include "kernels/rung_header.h"

#include <cmocka.h> /* last: it has a macro called fail */

#define PAST "wrote past the end of 'out'"
#define ADVICE ": begin with a test such as 'if (row >= rows) return;', or state '// require: …'"

/* Of 10 x 12 elements groups of 64 make 128 items, and groups of 4 x 4 144; dot has one result. */
static void items_beside_elements(void **state)
{
    (void)state;
    static const struct {
        const char *problem, *group[2], *groups[2], *text, *reason, *more;
    } rows[] = {
        {"transpose:rows=10,cols=12",
         {"64"},
         {"ceil(rows * cols / 64)"},
         "a[i] = 1;",
         PAST,
         "; 128 items were started for 120 elements" ADVICE},
        {"transpose:rows=10,cols=12",
         {"4", "4"},
         {"ceil(cols / 4)", "ceil(rows / 4)"},
         "a[i] = 1;",
         "read past the end of 'in'",
         "; 144 items were started for 120 elements" ADVICE},
        {"transpose:rows=8,cols=16", {"64"}, {"ceil(rows * cols / 64)"}, "a[i] = 1;", PAST, ""},
        {"dot:n=100",
         {"64"},
         {"1"},
         "/* if */ a[i] = 1; // if ?\n",
         PAST,
         "; 64 items were started for one element" ADVICE},
        {"dot:n=100", {"1"}, {"1"}, "a[i] = 1;", PAST, ""},
        {"dot:n=100", {"64"}, {"1"}, "if (i < n) a[i] = 1;", PAST, ""},
        {"dot:n=100", {"64"}, {"1"}, "a[i] = i < n ? 1 : 2;", PAST, ""},
        {"dot:n=100", {"64"}, {"1"}, "/* if", PAST, "; 64 items were started for one element" ADVICE},
        {"dot:n=100", {"64"}, {"1"}, "iff(elif);", PAST, "; 64 items were started for one element" ADVICE},
        {"dot:n=100", {"64"}, {"1"}, "a[i] = 1;", "element 7 is 1, not 2", ""},
        {"dot:n=100", {"64"}, {"unknown"}, "a[i] = 1;", PAST, ""},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct device_source source = {.text = rows[i].text};
        struct measurement wrong = {.verdict = VERDICT_FAIL};
        struct problem problem;
        struct error error = {""};
        char expected[512];
        for (; source.rank < 2 && rows[i].group[source.rank]; source.rank++) {
            strcpy(source.group[source.rank], rows[i].group[source.rank]);
            strcpy(source.groups[source.rank], rows[i].groups[source.rank]);
        }
        const struct rung rung = {.name = "mine", .source = &source};
        assert_int_equal(problem_parse(rows[i].problem, &problem, &error), STATUS_OK);
        strcpy(wrong.reason, rows[i].reason);
        try_guess(&rung, &problem, &wrong);
        snprintf(expected, sizeof expected, "%s%s", rows[i].reason, rows[i].more);
        if (strcmp(wrong.reason, expected) != 0)
            fail_msg("row %zu: '%s', not '%s'", i, wrong.reason, expected);
    }
    const struct rung plain = {.name = "in C"};
    struct measurement wrong = {.reason = PAST};
    struct problem problem;
    struct error error;
    assert_int_equal(problem_parse("dot:n=100", &problem, &error), STATUS_OK);
    try_guess(&plain, &problem, &wrong);
    assert_string_equal(wrong.reason, PAST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(items_beside_elements)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
