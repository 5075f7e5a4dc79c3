/* The command that measures an entry again, as a shell reads it, and the entry's figures in a few lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "report/model/command.h"
#include "store/measurement.h"

#include <cmocka.h> /* last: it has a macro called fail */

static struct measurement plain_one(void)
{
    return (struct measurement){.kernel = "dot", .problem = "dot:n=5,f32", .rung = "tree", .device = "cuda:0"};
}

static void expect_command(const struct measurement *measurement, const char *wanted)
{
    char text[1024];
    const struct entry entry = {.measurement = measurement};
    assert_string_equal(entry_command(&entry, text, sizeof text), wanted);
}

static void commands(void **state)
{
    (void)state;
    struct measurement one = plain_one();
    expect_command(&one, "uskor bench dot:n=5,f32 --device cuda:0 --rung tree");
    one.threads = 2;
    one.cold = true;
    expect_command(&one, "uskor bench dot:n=5,f32 --device cuda:0 --threads 2 --cold --rung tree");
    strcpy(one.parameters, "TILE=32 word ROWS=8");
    expect_command(&one,
                   "uskor bench dot:n=5,f32 --device cuda:0 --threads 2 --cold --rung tree --set TILE=32 --set ROWS=8");
    strcpy(one.detail, "sha256 0123");
    strcpy(one.rung, "my file.cl");
    expect_command(&one, "uskor try dot 'my file.cl' dot:n=5,f32 --device cuda:0 --set TILE=32 --set ROWS=8");
    strcpy(one.detail, "of sha256 0123");
    expect_command(
        &one,
        "uskor bench dot:n=5,f32 --device cuda:0 --threads 2 --cold --rung 'my file.cl' --set TILE=32 --set ROWS=8");
}

/* What no ladder has: another command measures it again. */
static void other_commands(void **state)
{
    (void)state;
    static const char *const rows[][3] = {
        {"bandwidth", "bandwidth:up,bytes=65536", "uskor bandwidth --device cuda:0"},
        {"peers", "peers:both,from=cuda:0,to=cuda:1,bytes=4", "uskor bandwidth --peers"},
        {"overlap", "overlap:dot:n=5,f32", "uskor overlap dot:n=5,f32 --device cuda:0"},
        {"memory", "memory:dot:n=5,f32", "uskor bench --memory all dot:n=5,f32 --device cuda:0"},
        {"accuracy", "accuracy:dot:n=5,f32", "uskor bench --accuracy dot:n=5,f32 --device cuda:0"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct measurement one = plain_one();
        strcpy(one.kernel, rows[i][0]);
        strcpy(one.problem, rows[i][1]);
        strcpy(one.parameters, "QUEUES=4");
        expect_command(&one, rows[i][2]);
    }
}

static void words_for_a_shell(void **state)
{
    (void)state;
    static const char *const rows[][2] = {{"a-b_c+d/e^f@g.h,i=j:k", "a-b_c+d/e^f@g.h,i=j:k"},
                                          {"a b", "'a b'"},
                                          {"it's", "'it'\\''s'"},
                                          {"$(x)", "'$(x)'"},
                                          {"", "''"},
                                          {"~", "'~'"},
                                          {"Ω", "'Ω'"}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char wanted[128];
        struct measurement one = plain_one();
        snprintf(one.rung, sizeof one.rung, "%s", rows[i][0]);
        snprintf(wanted, sizeof wanted, "uskor bench dot:n=5,f32 --device cuda:0 --rung %s", rows[i][1]);
        expect_command(&one, wanted);
    }
}

static void expect_tip(const struct entry *entry, const char *wanted)
{
    char text[1024];
    assert_string_equal(entry_tip(entry, text, sizeof text), wanted);
}

static void tips(void **state)
{
    (void)state;
    struct measurement one = plain_one(), first = plain_one();
    strcpy(one.rate_unit, "GB/s");
    strcpy(first.rung, "serial");
    struct entry base = {.measurement = &first},
                 entry = {
                     .measurement = &one, .rate = 400, .rate_low = 390, .rate_high = 410, .time = {.median = 20000}};
    expect_tip(&entry, "tree · cuda:0\n400\u00A0GB/s (quartiles 390 … 410)\n20.0\u00A0µs");
    strcpy(one.parameters, "TILE=32");
    strcpy(one.warnings, "a doubt");
    entry.of_ceiling = 0.25;
    entry.speed_up = 8;
    entry.base = &base;
    expect_tip(&entry, "tree · cuda:0 · TILE=32\n400\u00A0GB/s (quartiles 390 … 410)\n20.0\u00A0µs, 25.0\u00A0% of the "
                       "ceiling, 8.00× serial\n! a doubt");
    entry.base = &entry;
    expect_tip(&entry, "tree · cuda:0 · TILE=32\n400\u00A0GB/s (quartiles 390 … 410)\n20.0\u00A0µs, 25.0\u00A0% of the "
                       "ceiling\n! a doubt");
    entry.is_void = true;
    expect_tip(&entry, "tree · cuda:0 · TILE=32\n—, too noisy");
    entry.is_void = false;
    entry.rate = 0;
    one.verdict = VERDICT_SKIP;
    strcpy(one.reason, "needs doubles");
    expect_tip(&entry, "tree · cuda:0 · TILE=32\nSKIP: needs doubles");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands),
        cmocka_unit_test(other_commands),
        cmocka_unit_test(words_for_a_shell),
        cmocka_unit_test(tips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
