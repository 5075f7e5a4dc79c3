/* What is shown of texts that others wrote. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#undef fail

#include "base/sha256.h"
#include "base/size.h"
#include "base/status.h"
#include "base/visible.h"

static void escapes(void **state)
{
    (void)state;
    static const struct {
        const char *text, *shown;
    } cases[] = {
        {"", ""},
        {"plain, ünïcode, кириллица, 漢字, 🙂 and a\\b",
         "plain, ünïcode, кириллица, 漢字, 🙂 and a\\b"},
        {"\033[31m", "\\x1b[31m"},
        {"a\nb\tc\r\177", "a\\x0ab\\x09c\\x0d\\x7f"},
        {"\xC2\x9b", "\\x9b"},
        {"\xE2\x80\xAE", "\\u202e"}, /* NOLINT(misc-misleading-bidirectional) */
        {"\xE2\x81\xA6x\xE2\x81\xA9", "\\u2066x\\u2069"},
        {"\xEF\xBB\xBF", "\\ufeff"},
        {"\xF3\xA0\x80\xA1", "\\U000e0021"},
        {"\xff\xfe", "\\xff\\xfe"},
        {"\xC0\x80", "\\xc0\\x80"},
        {"\xED\xA0\x80", "\\xed\\xa0\\x80"},
        {"\xF4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
        {"cut \xE2\x80", "cut \\xe2\\x80"},
        {"\xF0\x90\x80\x80\xF4\x8F\xBF\xBF",
         "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"}, /* the first and the last of four bytes */
        {"\xF0\x8F\xBF\xBF", "\\xf0\\x8f\\xbf\\xbf"},
        {"\xF5\x80\x80\x80", "\\xf5\\x80\\x80\\x80"},
        {"cut \xF0\x9F\x9A", "cut \\xf0\\x9f\\x9a"},
        {"\xE3\x85\xA4\xEF\xBE\xA0\xE1\x85\x9F\xE2\xA0\x80\xCD\x8F", "\\u3164\\uffa0\\u115f\\u2800\\u034f"},
        {"\xE2\x80\x8C\xE2\x80\x8D", "\\u200c\\u200d"}, /* joiners with nothing to join */
        {"a\xE2\x80\x8C", "a\\u200c"},
        {"علی\xE2\x80\x8C\xE2\x80\x8Cرضا", "علی\xE2\x80\x8C\\u200cرضا"},
        {"علی\xE2\x80\x8Cرضا", "علی\xE2\x80\x8Cرضا"},
        {"👁\xEF\xB8\x8F\xE2\x80\x8D🗨\xEF\xB8\x8F", "👁\xEF\xB8\x8F\xE2\x80\x8D🗨\xEF\xB8\x8F"},
        {"葛\xF3\xA0\x84\x80\xF3\xA0\x84\x80", "葛\xF3\xA0\x84\x80\\U000e0100"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char shown[128];
        assert_true(visible_copy(cases[i].text, shown, sizeof shown));
        assert_string_equal(shown, cases[i].shown);
        assert_true(visible_is(shown));
        assert_int_equal(visible_is(cases[i].text), strcmp(cases[i].text, cases[i].shown) == 0);
    }
}

/* Neither an escape nor a letter is cut in two, and nothing is written beyond the end. */
static void cuts(void **state)
{
    (void)state;
    static const char text[] = "é\033é";
    for (size_t size = 1; size <= 12; size++) {
        char shown[16];
        memset(shown, 'z', sizeof shown);
        bool whole = visible_copy(text, shown, size);
        assert_int_equal(whole, size > 8);
        assert_true(strlen(shown) < size && visible_is(shown));
        for (size_t i = size; i < sizeof shown; i++)
            assert_int_equal(shown[i], 'z');
    }
}

static void messages(void **state)
{
    (void)state;
    struct error error;
    fail(&error, STATUS_INVALID, "%s: no", "a\033]0;x\007");
    assert_string_equal(error.text, "a\\x1b]0;x\\x07: no");
    fail_in(&error, STATUS_INVALID, "%s", "b\n");
    assert_string_equal(error.text, "b\\x0a: a\\x1b]0;x\\x07: no");
}

/* FIPS 180-4's own examples, and lengths around a block's end. */
static void hashes(void **state)
{
    (void)state;
    char text[SHA256_BASE64_BYTES], letters[200];
    assert_string_equal(sha256_base64("", 0, text), "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    assert_string_equal(sha256_base64("abc", 3, text), "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
    memset(letters, 'a', sizeof letters);
    assert_string_equal(sha256_base64(letters, 55, text), "n0OQ+NMMLdkuyfCVtl4rmumwqSWlJY4kHJ8ekQ9zQxg=");
    assert_string_equal(sha256_base64(letters, 64, text), "/+BU/nrgy23GXDr5th1SCfQ5hR20PQulmXM33xVGaOs=");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(escapes), cmocka_unit_test(cuts), cmocka_unit_test(messages),
                                       cmocka_unit_test(hashes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
