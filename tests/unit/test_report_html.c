/* Markup and figures: what comes from a measurement cannot get out of its place. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/embedded.h"
#include "base/language.h"
#include "base/size.h"
#include "report/html/axis_scale.h"
#include "report/html/html.h"
#include "report/html/palette.h"
#include "report/model/figure_text.h"
#include "report/model/key_values.h"

#include "between.h"

#define INSTEAD "\xEF\xBF\xBD"

static char *escaped(const char *text)
{
    char *result = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&result, &bytes);
    assert_non_null(stream);
    html(stream, "[%s]", text);
    fclose(stream);
    return result;
}

static void text_is_escaped(void **state)
{
    (void)state;
    static const struct {
        const char *text, *markup;
    } cases[] = {
        {"plain µs ×", "[plain µs ×]"},
        {"<script>\"&'", "[&lt;script&gt;&quot;&amp;&#39;]"},
        {"%s %n", "[%s %n]"},
        {"a\x01\x7f"
         "b\n",
         "[a" INSTEAD INSTEAD "b\n]"},
        {"\xC0\xAF", "[" INSTEAD INSTEAD "]"},             /* an overlong slash */
        {"\xED\xA0\x80", "[" INSTEAD INSTEAD INSTEAD "]"}, /* a surrogate */
        {"\xF4\x90\x80\x80", "[" INSTEAD INSTEAD INSTEAD INSTEAD "]"},
        {"cut \xE2\x82", "[cut " INSTEAD INSTEAD "]"},
        {"\xF0\x9F\x9A\x80", "[\xF0\x9F\x9A\x80]"},
        {"\xF0\x90\x80\x80\xF4\x8F\xBF\xBF",
         "[\xF0\x90\x80\x80\xF4\x8F\xBF\xBF]"},                        /* the first and the last of four bytes */
        {"\xF0\x8F\xBF\xBF", "[" INSTEAD INSTEAD INSTEAD INSTEAD "]"}, /* three would do */
        {"\xF5\x80\x80\x80", "[" INSTEAD INSTEAD INSTEAD INSTEAD "]"},
        {"cut \xF0\x9F\x9A", "[cut " INSTEAD INSTEAD INSTEAD "]"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char *markup = escaped(cases[i].text);
        assert_string_equal(markup, cases[i].markup);
        free(markup);
    }
}

static void conversions_are_printf_s(void **state)
{
    (void)state;
    char *result = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&result, &bytes);
    html(stream, "%d %u %zu %.2f %g %c 100%% %5.1f|%s|%.3s|%4s", -1, 2u, (size_t)3, 4.567, 0.5, 'c', 6.78, "<", "ab<d",
         "e");
    fclose(stream);
    assert_string_equal(result, "-1 2 3 4.57 0.5 c 100%   6.8|&lt;|ab&lt;|   e");
    free(result);
}

static void figures_have_three_digits(void **state)
{
    (void)state;
    assert_string_equal(figure_number(44.94).text, "44.9");
    assert_string_equal(figure_number(4219.3).text, "4219");
    assert_string_equal(figure_number(9.996).text, "10.0");
    assert_string_equal(figure_number(0.1234).text, "0.123");
    assert_string_equal(figure_number(0).text, "—");
    assert_string_equal(figure_percent(0.894).text, "89.4\u00A0%");
    assert_string_equal(figure_times(39.6).text, "39.6×");
    assert_string_equal(figure_duration(12345).text, "12.3\u00A0µs");
    assert_string_equal(figure_count(1234567).text, "1\u202F234\u202F567");
    assert_string_equal(figure_count(9999).text, "9999");
    assert_string_equal(figure_with_error(14.733, 0.334).text, "14.73\u00A0±\u00A00.33");
    assert_string_equal(figure_with_error(1034, 27).text, "1034\u00A0±\u00A027");
    language_choose(LANGUAGE_RUSSIAN);
    assert_string_equal(figure_rate(44.9, "GB/s").text, "44,9\u00A0ГБ/с");
    assert_string_equal(figure_with_error(14.733, 0.334).text, "14,73\u00A0±\u00A00,33");
    assert_string_equal(figure_bytes(1536).text, "1,5\u00A0КиБ");
    language_choose(LANGUAGE_ENGLISH);
}

static void ticks_are_round_and_inside(void **state)
{
    (void)state;
    static const struct scale scales[] = {
        {SCALE_LINEAR, 0, 85.9, 0, 100},    {SCALE_LINEAR, 0, 1e-3, 0, 100},   {SCALE_LINEAR, 0, 3e9, 0, 100},
        {SCALE_DECADES, 0.3, 900, 0, 100},  {SCALE_DECADES, 2, 7, 0, 100},     {SCALE_BINARY, 1024, 4194304, 0, 100},
        {SCALE_BINARY, 1000, 9000, 0, 100}, {SCALE_DECADES, 1e-3, 1e9, 0, 10},
    };
    for (size_t s = 0; s < COUNT_OF(scales); s++)
        for (size_t most = 2; most <= 12; most++) {
            double ticks[SCALE_TICKS_MAX];
            size_t count = scale_ticks(&scales[s], most, ticks);
            assert_between(count, 0, most);
            assert_true(count >= 1 || most < 6);
            for (size_t i = 0; i < count; i++) {
                assert_true(ticks[i] >= scales[s].low * 0.999 && ticks[i] <= scales[s].high * 1.001);
                assert_true(i == 0 || ticks[i] > ticks[i - 1]);
            }
        }
    /* 1, 2 and 5 of each power of ten, as long as there is room for them. */
    static const struct scale decades = {SCALE_DECADES, 1, 1000, 0, 100};
    double ticks[SCALE_TICKS_MAX];
    assert_int_equal(scale_ticks(&decades, 10, ticks), 10);
    assert_true(ticks[1] == 2 && ticks[2] == 5 && ticks[9] == 1000);
    assert_int_equal(scale_ticks(&decades, 9, ticks), 4);
    assert_true(ticks[1] == 10 && ticks[3] == 1000);
    static const struct scale two = {SCALE_DECADES, 1, 100, 0, 100};
    assert_true(scale_ticks(&two, 7, ticks) == 7 && scale_ticks(&two, 6, ticks) == 3);
    assert_true(scale_at(&scales[0], -5) == 0 && scale_at(&scales[0], 1e9) == 100);
    assert_true(scale_at(&scales[5], 1024) == 0 && scale_at(&scales[5], 4194304) == 100);
}

static void problems_and_parameters_are_read(void **state)
{
    (void)state;
    struct key_value words[WORDS_MAX];
    assert_int_equal(key_values_of("transpose:rows=1024,cols=2048,f32", ',', words), 3);
    assert_true(words[0].has_number && words[0].number == 1024 && words[0].name_length == 4);
    assert_false(words[2].has_number);
    assert_int_equal(key_values_of("TILE=32 ROWS=8", ' ', words), 2);
    assert_true(key_values_find(words, 2, "ROWS", 4)->number == 8);
    assert_null(key_values_find(words, 2, "ROW", 3));
    assert_int_equal(key_values_of("", ',', words), 0);
    char difference[64];
    assert_string_equal(
        key_values_of_difference("a:m=1,n=2,k=3,f32", "a:m=10,n=2,k=3,f64", difference, sizeof difference), "m=1, f32");
    assert_string_equal(key_values_of_difference("a:m=1", "a:m=1", difference, sizeof difference), "");
    assert_true(key_values_differ_in_numbers_only("a:n=1,f32", "a:n=2,f32"));
    assert_false(key_values_differ_in_numbers_only("a:n=1,f32", "a:n=1,f64"));
    assert_false(key_values_differ_in_numbers_only("a:n=1,f32", "a:m=1,f32"));
    assert_false(key_values_differ_in_numbers_only("a:n=1,x=0.5", "a:n=1,x=0.7"));
}

/* The relative luminance of "#rrggbb" (WCAG 2.2). */
static double luminance(const char *colour)
{
    static const double weights[] = {0.0722, 0.7152, 0.2126};
    assert_true(colour[0] == '#' && strspn(colour + 1, "0123456789abcdef") == 6);
    double sum = 0;
    for (unsigned long left = strtoul(colour + 1, NULL, 16), i = 0; i < 3; i++, left >>= 8) {
        double part = (double)(left & 255) / 255;
        sum += weights[i] * (part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4));
    }
    return sum;
}

static const char *value_of(const char *block, const char *name)
{
    char wanted[64];
    snprintf(wanted, sizeof wanted, ";--%s:", name);
    const char *found = strstr(block, wanted), *end = strchr(block, '}');
    assert_true(found && end && found < end);
    return found + strlen(wanted);
}

/* What a style sheet uses has a value, light, dark and dark by choice; text is told from the paper in each. */
static void colours_are_there_and_seen(void **state)
{
    (void)state;
    char *page = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&page, &bytes);
    assert_non_null(stream);
    palette_write_page(stream);
    fclose(stream);
    static const char *const sheets[] = {"report/html/report.css", "report/html/chart.css"};
    static const char *const texts[] = {"ink", "soft", "host", "device", "ceiling", "good", "bad", "link"};
    const char *block = page;
    for (int blocks = 0; blocks < 3; blocks++, block = strchr(block, '}')) {
        block = strstr(block, "{color-scheme:");
        assert_non_null(block);
        assert_true(strncmp(block + 14, blocks ? "dark" : "light", blocks ? 4 : 5) == 0);
        for (size_t s = 0; s < COUNT_OF(sheets); s++)
            for (const char *at = embedded_find(sheets[s])->text; (at = strstr(at, "var(--")); at++) {
                char name[32];
                assert_int_equal(sscanf(at, "var(--%31[a-z0-9-]", name), 1);
                value_of(block, name);
            }
        const double paper = luminance(value_of(block, "paper"));
        for (size_t t = 0; t < COUNT_OF(texts); t++) {
            const double text = luminance(value_of(block, texts[t]));
            assert_true((fmax(text, paper) + 0.05) / (fmin(text, paper) + 0.05) >= 4.5);
        }
    }
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_escaped),
        cmocka_unit_test(colours_are_there_and_seen),
        cmocka_unit_test(conversions_are_printf_s),
        cmocka_unit_test(figures_have_three_digits),
        cmocka_unit_test(ticks_are_round_and_inside),
        cmocka_unit_test(problems_and_parameters_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
