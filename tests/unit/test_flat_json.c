/* Small JSON objects: each rule by hand, then thousands of damaged lines against jansson. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */
#define FAIL_WITH(...) (print_error(__VA_ARGS__), _fail(__FILE__, __LINE__))

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/flat_json.h"
#include "base/random.h"
#include "base/size.h"

static struct flat_json json;

static enum status read_text(const char *text, struct error *error)
{
    return flat_json_read(text, strlen(text), &json, error);
}

static void values_are_read(void **state)
{
    (void)state;
    struct error error = {""};
    assert_int_equal(read_text(" {\"a\" : \"x\\n\\u00e9\\ud83d\\ude00\", \"b\": -1.5e3,\"c\": null, \"d\": {\"a\": 0, "
                               "\"e\": {}}} \n",
                               &error),
                     STATUS_INVALID); /* three levels */
    assert_int_equal(
        read_text(" {\"a\" : \"x\\n\\u00e9\\ud83d\\ude00\", \"b\": -1.5e3,\"c\": null, \"d\": {\"a\": 0}} \n", &error),
        STATUS_OK);
    assert_int_equal(json.count, 5);
    const struct flat_json_value *a = flat_json_find(&json, NULL, "a"), *d = flat_json_find(&json, NULL, "d");
    assert_string_equal(a->text, "x\n\xc3\xa9\xf0\x9f\x98\x80");
    assert_int_equal(a->kind, FLAT_STRING);
    assert_true(flat_json_find(&json, NULL, "b")->number == -1500);
    assert_int_equal(flat_json_find(&json, NULL, "c")->kind, FLAT_WORD);
    assert_int_equal(d->kind, FLAT_OBJECT);
    assert_int_equal(flat_json_find(&json, d, "a")->kind, FLAT_NUMBER);
    assert_null(flat_json_find(&json, d, "b"));
    assert_int_equal(read_text("{}", &error), STATUS_OK);
    assert_int_equal(json.count, 0);
}

static void what_is_not_json_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",
        "{",
        "}",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1",
        "{\"a\":1,}",
        "{a:1}",
        "{\"a\":01}",
        "{\"a\":+1}",
        "{\"a\":1.}",
        "{\"a\":.5}",
        "{\"a\":1e}",
        "{\"a\":0x1}",
        "{} {}",
        "{\"a\":inf}",
        "{\"a\":nan}",
        "{\"a\":True}",
        "{\"a\":\"}",
        "{\"a\":\"\\x\"}",
        "{\"a\":\"\\u12\"}",
        "{\"a\":1 \"b\":2}",
        "{\"a\":\"\\ud800\"}",
        "{\"a\":\"\\udc00\"}",
        "{\"a\":\"\\u0000\"}",
        "{\"a\":1,\"a\":2}",
        "{\"a\":\"\t\"}",
        "{\"a\":1e999}",
        "{\"a\":[1]}",
    };
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        struct error error = {""};
        if (read_text(wrong[i], &error) != STATUS_INVALID || !strstr(error.text, "not JSON"))
            FAIL_WITH("'%s': %s\n", wrong[i], error.text);
    }
}

static void there_is_an_end_to_the_room(void **state)
{
    (void)state;
    static char text[4 * FLAT_JSON_BYTES];
    struct error error;
    size_t used = 1;
    text[0] = '{';
    for (int i = 0; i <= FLAT_JSON_MOST; i++)
        used += (size_t)sprintf(text + used, "%s\"%d\":1", i > 0 ? "," : "", i);
    strcpy(text + used, "}");
    assert_int_equal(read_text(text, &error), STATUS_INVALID);
    used = (size_t)sprintf(text, "{\"a\":\"");
    memset(text + used, 'x', FLAT_JSON_BYTES);
    strcpy(text + used + FLAT_JSON_BYTES, "\"}");
    assert_int_equal(read_text(text, &error), STATUS_INVALID);
}

/* jansson takes lists and deep objects, which are refused here; nothing else may differ. */
static void expect_like_jansson(const char *text, size_t length)
{
    json_error_t why;
    json_t *theirs = json_loadb(text, length, JSON_REJECT_DUPLICATES, &why);
    struct error error = {""};
    const enum status status = flat_json_read(text, length, &json, &error);
    const bool is_narrow = strstr(error.text, "a value that is not") || strstr(error.text, "within objects");
    if (status == STATUS_OK && !json_is_object(theirs) && !strstr(why.text, "UTF-8"))
        FAIL_WITH("taken, but not by jansson (%s): %.*s\n", why.text, (int)length, text);
    if (status != STATUS_OK && json_is_object(theirs) && !is_narrow)
        FAIL_WITH("refused (%s), but not by jansson: %.*s\n", error.text, (int)length, text);
    for (size_t i = 0; status == STATUS_OK && theirs && i < json.count; i++) {
        const struct flat_json_value *value = &json.values[i];
        const json_t *in = value->parent ? json_object_get(theirs, value->parent->name) : theirs;
        const json_t *found = json_object_get(in, value->name);
        assert_non_null(found);
        if (value->kind == FLAT_STRING)
            assert_string_equal(value->text, json_string_value(found));
        if (value->kind == FLAT_NUMBER)
            assert_true(value->number == json_number_value(found));
    }
    json_decref(theirs);
}

static void damaged_lines_are_judged_as_jansson_judges_them(void **state)
{
    (void)state;
    static const char line[] =
        "{\"problem\": \"dot:n=1000,f32\", \"kind\": \"cpu\", \"threads\": 2, \"s\": \"\\u00e9\\\\\","
        " \"ns\": {\"serial\": 480, \"simd\": 9.5e1, \"x\": -0.25, \"y\": true}, \"z\": 1E+2}";
    static const char signs[] = "{}\":,\\u0123456789.eE+-truefalsn \t\n[]d";
    uint64_t used = 0;
    for (uint64_t round = 0; round < 40000; round++) {
        char text[sizeof line];
        size_t length = sizeof line - 1;
        memcpy(text, line, sizeof line);
        for (uint64_t left = 1 + random_word(7, used++) % 3; left > 0; left--) {
            const size_t at = (size_t)(random_word(7, used++) % length);
            if (random_word(7, used++) % 2) {
                text[at] = signs[random_word(7, used++) % (sizeof signs - 1)];
            } else {
                memmove(text + at, text + at + 1, length - at);
                length--;
            }
        }
        expect_like_jansson(text, length);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_read),
        cmocka_unit_test(what_is_not_json_is_refused),
        cmocka_unit_test(there_is_an_end_to_the_room),
        cmocka_unit_test(damaged_lines_are_judged_as_jansson_judges_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
