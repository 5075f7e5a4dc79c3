/* Names nearly right, and numbers as people write them. */
#include <float.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/random.h"
#include "base/size.h"
#include "base/text.h"

#include <cmocka.h>

static void closest(void **state)
{
    (void)state;
    static const char *const names[] = {"transpose", "sort", "dot", "matmul", "resize", "wave", "TILE", "rows", "cols"};
    static const struct {
        const char *name, *found;
    } cases[] = {
        {"transpose", "transpose"},
        {"transpos", "transpose"},
        {"tranpsose", "transpose"}, /* two neighbours swapped: one edit */
        {"transposition", NULL},
        {"srot", "sort"},
        {"soort", "sort"},
        {"mat", "matmul"}, /* the beginning of a name */
        {"m", "matmul"},
        {"tile", "TILE"},
        {"row", "rows"},
        {"rwos", "rows"},
        {"Wave", "wave"},
        {"rolls", NULL},
        {"xyz", NULL},
        {"", NULL},
        {"q", NULL},
        {"transposetransposetransposetransposetransposetransposetransposetranspose", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *found = text_closest(cases[i].name, names, COUNT_OF(names));
        if (cases[i].found ? !found || strcmp(found, cases[i].found) != 0 : found != NULL)
            fail_msg("%s gives %s, not %s", cases[i].name, found ? found : "nothing",
                     cases[i].found ? cases[i].found : "nothing");
    }
    assert_null(text_closest("sort", names, 0));
    static const char *const two[] = {"tiled-wide", "tiled"};
    assert_string_equal(text_closest("tile", two, 2), "tiled");
}

static void integers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t value;
    } right[] = {
        {"0", 0},
        {"007", 7},
        {"-5", -5},
        {"4k", 4096},
        {"4K", 4096},
        {"3m", 3 << 20},
        {"1g", 1 << 30},
        {"-2k", -2048},
        {"2^0", 1},
        {"1e6", 1000000},
        {"25E2", 2500},
        {"9e18", INT64_C(9000000000000000000)},
        {"2^62", INT64_C(1) << 62},
        {"9223372036854775807", INT64_MAX},
        {"8589934591g", INT64_C(8589934591) << 30},
    };
    for (size_t i = 0; i < COUNT_OF(right); i++) {
        int64_t value = 77;
        if (!text_integer(right[i].text, &value) || value != right[i].value)
            fail_msg("%s", right[i].text);
    }
    static const char *const wrong[] = {
        "",
        "-",
        " 1",
        "1 ",
        "+1",
        "1.0",
        "1e",
        "1e-3",
        "1.5e3",
        "1e19",
        "10e18",
        "0x10",
        "k",
        "1kk",
        "1t",
        "2^63",
        "2^",
        "3^2",
        "2^-1",
        "--1",
        "12a",
        "1\n",
        "2^2k",
        "1,000",
        "abc",
        "9223372036854775808",
        "8589934592g",
        "99999999999999999999999",
    };
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        int64_t value = 77;
        if (text_integer(wrong[i], &value) || value != 77)
            fail_msg("'%s' is taken", wrong[i]);
    }
}

static void reals(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } right[] = {{"0", 0}, {"1.5", 1.5}, {"-2e-3", -0.002}, {".5", 0.5}, {"+1", 1}, {"1e308", 1e308}, {"5.", 5}};
    for (size_t i = 0; i < COUNT_OF(right); i++) {
        double value = 77;
        if (!text_real(right[i].text, &value) || value != right[i].value)
            fail_msg("%s", right[i].text);
    }
    static const char *const wrong[] = {"",     " 1", "1 ", "nan", "inf", "-inf", "1e999", "0x1p3", "1,5",
                                        "1..5", "1e", "e5", "--1", "1f",  "-",    "1e5.5", ".",     "1_0"};
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        double value = 77;
        if (text_real(wrong[i], &value) || value != 77)
            fail_msg("'%s' is taken", wrong[i]);
    }
}

static void shortest_reals(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"},          {1, "1"},        {0.1, "0.1"},
                 {-2.5, "-2.5"},    {1e22, "1e+22"}, {1.0 / 3, "0.3333333333333333"},
                 {1e300, "1e+300"}, {-0.0, "-0"}};
    char buffer[32];
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_string_equal(text_from_real(cases[i].value, buffer, sizeof buffer), cases[i].text);
    struct random random;
    random_seed(&random, 3);
    for (int i = 0; i < 20000; i++) {
        double value, back;
        random_bytes(&random, &value, sizeof value);
        if (!isfinite(value))
            continue;
        assert_true(text_real(text_from_real(value, buffer, sizeof buffer), &back));
        assert_memory_equal(&back, &value, sizeof value);
    }
}

/* A program that embeds the library may have set a locale whose decimal point is a comma. */
static void commas(void **state)
{
    (void)state;
    static const char *const locales[] = {"de_DE.UTF-8", "ru_RU.UTF-8", "fr_FR.UTF-8"};
    const char *set = NULL;
    for (size_t i = 0; i < COUNT_OF(locales) && !set; i++)
        set = setlocale(LC_ALL, locales[i]);
    if (!set)
        skip();
    double value = 0;
    char buffer[32];
    assert_true(text_real("0.25", &value));
    assert_true(value == 0.25);
    assert_string_equal(text_from_real(0.25, buffer, sizeof buffer), "0.25");
    setlocale(LC_ALL, "C");
}

static void appending(void **state)
{
    (void)state;
    char buffer[8] = "";
    assert_true(text_append(buffer, sizeof buffer, "%d", 123));
    assert_true(text_append(buffer, sizeof buffer, "%s", "4567"));
    assert_string_equal(buffer, "1234567");
    assert_true(text_append(buffer, sizeof buffer, "%s", ""));
    assert_false(text_append(buffer, sizeof buffer, "8"));
    assert_string_equal(buffer, "1234567");
    strcpy(buffer, "12");
    assert_false(text_append(buffer, sizeof buffer, "%s", "3456789"));
    assert_string_equal(buffer, "1234567");
    memset(buffer, 'x', sizeof buffer);
    assert_false(text_append(buffer, sizeof buffer, "y"));
    assert_int_equal(buffer[7], 'x');
}

static void durations(void **state)
{
    (void)state;
    static const struct {
        double nanoseconds;
        const char *text;
    } cases[] = {
        {0, "0 ns"},        {0.5, "0.500 ns"},   {1, "1.00 ns"},     {12.34, "12.3 ns"},  {99.95, "100 ns"},
        {999.4, "999 ns"},  {999.6, "1.00 µs"},  {12345, "12.3 µs"}, {999499, "999 µs"},  {999500, "1.00 ms"},
        {1.5e9, "1.50 s"},  {9.999e9, "10.0 s"}, {4.2e12, "4200 s"}, {-1500, "-1.50 µs"}, {9.994, "9.99 ns"},
        {9.996, "10.0 ns"}, {INFINITY, "inf s"},
    };
    char buffer[32];
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_string_equal(text_duration(cases[i].nanoseconds, buffer, sizeof buffer), cases[i].text);
}

static void byte_counts(void **state)
{
    (void)state;
    static const struct {
        double bytes;
        const char *text;
    } cases[] = {
        {0, "0 B"},
        {1023, "1023 B"},
        {1024, "1 KiB"},
        {1536, "1.5 KiB"},
        {12595, "12.3 KiB"},
        {1047552, "1023 KiB"},
        {1024256, "1000 KiB"},
        {1048570, "1 MiB"},
        {1.5 * (1 << 30), "1.5 GiB"},
        {0x1p40, "1 TiB"},
        {0x3p60, "3 EiB"},
    };
    char buffer[32];
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_string_equal(text_bytes(cases[i].bytes, buffer, sizeof buffer), cases[i].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closest),        cmocka_unit_test(integers),    cmocka_unit_test(reals),
        cmocka_unit_test(shortest_reals), cmocka_unit_test(commas),      cmocka_unit_test(appending),
        cmocka_unit_test(durations),      cmocka_unit_test(byte_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
