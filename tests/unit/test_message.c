/* Messages in Russian: by the formats that they were made of, with the same arguments, independent of where the English
 * text is stored. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "base/message.h"
#include "base/origin.h"
#include "base/size.h"
#include "base/status.h" /* before cmocka, whose fail is a macro */

static enum status make(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

static enum status make(struct error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    explain_from(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return STATUS_INVALID;
}

static enum status (*const failing)(struct error *, enum status, const char *, ...) = fail;
static enum status (*const failing_in)(struct error *, enum status, const char *, ...) = fail_in;

#include <cmocka.h>

#include "between.h"

static void told(const char *english, const char *russian)
{
    language_choose(LANGUAGE_ENGLISH);
    assert_ptr_equal(say_message(english), english);
    language_choose(LANGUAGE_RUSSIAN);
    assert_string_equal(say_message(english), russian);
    language_choose(LANGUAGE_ENGLISH);
}

static void messages_are_told_by_their_formats(void **state)
{
    (void)state;
    struct error error;
    failing(&error, STATUS_INVALID, "%s: cannot be opened: %s", "a.npy", "No such file or directory");
    assert_string_equal(error.text, "a.npy: cannot be opened: No such file or directory");
    told(error.text, "a.npy: не открывается: такого файла или папки нет");
    make(&error, "--%s takes a number from %g to %g; this is '%s'", "time", 0.5, 3.0, "x");
    told(error.text, "--time — это число от 0,5 до 3, а не «x»");
    make(&error, "%s: no room on its disk for %s", "b.npy", "1.5 GiB");
    told(error.text, "b.npy: на его диске нет места для 1,5 ГиБ");
    make(&error, "%s: this machine has %d %s device%s; the last is %s:%d", "opencl:1", 1, "opencl", "", "opencl", 0);
    assert_string_equal(error.text, "opencl:1: this machine has 1 opencl device; the last is opencl:0");
    told(error.text, "opencl:1: на этой машине устройств: 1 (opencl); последнее — opencl:0");
    make(&error, "%.0f %% of the ceiling: faster than this machine can move the data, so the figure is wrong", 70.0);
    told(error.text, "70 % предела: быстрее, чем эта машина перемещает данные, значит, число неверно");
    make(&error, "no memory for %zu bytes", (size_t)-1);
    told(error.text, "нет памяти для 18446744073709551615 байт");
    make(&error, "there is no option -%.*s", 2, "xyz");
    told(error.text, "ключа -xy нет");
}

/* A format and not a likeness: another message that reads the same up to a name is told by its own. */
static void likeness_decides_nothing(void **state)
{
    (void)state;
    struct error error;
    make(&error, "%s: is of rank %d; %s was expected", "a.npy", 3, "a vector (one axis)");
    told(error.text, "a.npy: осей: 3, а нужно: вектор (одна ось)");
    told("b.npy: is of rank 3; a vector (one axis) was expected",
         "b.npy: is of rank 3; a vector (one axis) was expected");
    told("nobody's message: about nothing", "nobody's message: about nothing");
    told("", "");
}

static void messages_in_messages_are_told_too(void **state)
{
    (void)state;
    struct error inner, error;
    make(&inner, "%s: cannot be made: %s", "s.sqlite", "Permission denied");
    make(&error, "%s: %s", "warning: measurements are not stored", inner.text);
    told(error.text, "предупреждение: измерения не сохраняются: s.sqlite: создать не удаётся: нет прав");
    make(&error, "nothing of %s is in it", "--rung simd");
    failing_in(&error, STATUS_INVALID, "label '%s'", "before");
    assert_string_equal(error.text, "label 'before': nothing of --rung simd is in it");
    told(error.text, "метка «before»: ничего о --rung simd там нет");
    failing_in(&error, STATUS_INVALID, "%s", "theirs");
    told(error.text, "theirs: метка «before»: ничего о --rung simd там нет");
    failing_in(NULL, STATUS_INVALID, "%s", "nobody asks");
    make(&error, "\"%.200s\": %s at character %d", "rows +", "it ends where a value should be", 7);
    explain_more(error.text, sizeof error.text, "; did you mean '%s'?", "cols");
    assert_string_equal(error.text, "\"rows +\": it ends where a value should be at character 7; did you mean 'cols'?");
    told(error.text, "«rows +»: конец там, где должно быть значение, знак 7; может быть, «cols»?");
}

/* A name of a file is not a word of ours, even where it looks like one. */
static void names_are_not_translated(void **state)
{
    (void)state;
    struct error error;
    make(&error, "%s: cannot be opened: %s", "FILE", "Is a directory");
    told(error.text, "FILE: не открывается: это папка");
    make(&error, "%s: out of memory", "elements");
    told(error.text, "elements: не хватает памяти");
}

static void names_may_hold_anything(void **state)
{
    (void)state;
    struct error error; /* what a terminal would obey is shown as an escape */
    make(&error, "%s: is not a PNG file", "a \"b\" \\ [c], %s %d \n");
    told(error.text, "a \"b\" \\ [c], %s %d \\x0a: is not a PNG file"); /* no such format in the catalogue */
    make(&error, "%s: out of memory", "a \"b\" \\ [c], %s %d \n\x01");
    told(error.text, "a \"b\" \\ [c], %s %d \\x0a\\x01: не хватает памяти");
}

static void a_format_without_a_translation_stays_english(void **state)
{
    (void)state;
    struct error error, inner;
    make(&inner, "no memory for the store");
    make(&error, "a new rung says: %s, %.1f %s", inner.text, 2.5, "ways");
    assert_string_equal(error.text, "a new rung says: no memory for the store, 2.5 ways");
    told(error.text, "a new rung says: нет памяти для хранилища, 2,5 ways");
}

static void long_messages_are_cut(void **state)
{
    (void)state;
    struct error error;
    static char name[3000];
    memset(name, 'a', sizeof name - 1);
    make(&error, "%s: out of memory", name);
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
    language_choose(LANGUAGE_RUSSIAN);
    assert_between(strlen(say_message(error.text)), 1000, sizeof name - 1);
    language_choose(LANGUAGE_ENGLISH);
}

/* ---- origins, as the store keeps them ---- */

static void origins_are_kept_and_remembered(void **state)
{
    (void)state;
    struct error error, inner;
    make(&inner, "no memory for %zu points", (size_t)12);
    make(&error, "%s: %s", "pa\"th", inner.text);
    assert_string_equal(message_origin(error.text), "[\"%s: %s\",\"pa\\\"th\",[\"no memory for %zu points\",\"12\"]]");
    assert_null(message_origin("never made"));
    message_remember("a text of another day", "[\"no memory for %zu points\",\"12\"]");
    told("a text of another day", "нет памяти для 12 точек");
}

/* A damaged store's messages are skipped, or shown as far as they are valid. */
static void wrong_origins_harm_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *origin, *shown; /* NULL: as it is stored */
    } rows[] = {
        {"", NULL},
        {"[", NULL},
        {"]", NULL},
        {"[]", NULL},
        {"\"", NULL},
        {"[\"", NULL},
        {"[\"no memory for %zu points\"]", NULL},
        {"[\"no memory for %zu points\",", NULL},
        {"[\"no memory for %zu points\",\"1\",\"2\"]", NULL},
        {"[\"%s\",[[[[[[[[[[[[\"x\"]]]]]]]]]]]]]", NULL},
        {"[1,2]", NULL},
        {"[\"%s\",[1]]", NULL},
        {"[\"%1$s %9$s\",\"x\"]", NULL},
        {"{}", NULL},
        {"[\"a\"] ", NULL},
        {"[\"%s\" \"x\"]", NULL},
        {"[\"%s\",\"\\u00\"]", ""},
        {"[\"%s\",\"\\u0000\"]", ""},
        {"[\"%*s\",\"x\"]", "x"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char text[32];
        snprintf(text, sizeof text, "damaged %zu", i);
        message_remember(text, rows[i].origin);
        language_choose(LANGUAGE_RUSSIAN);
        assert_string_equal(say_message(text), rows[i].shown ? rows[i].shown : text);
        language_choose(LANGUAGE_ENGLISH);
    }
}

static void arguments_may_change_places(void **state)
{
    (void)state;
    assert_int_equal(origin_conversion("%2$s"), 4);
    assert_int_equal(origin_conversion("%-5.2f|"), 6);
    assert_int_equal(origin_conversion("% of"), 1);
    assert_int_equal(origin_conversion("%"), 1);
    message_remember("swapped", "[\"%2$s before %1$s\",\"one\",\"two\"]");
    told("swapped", "two before one");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_are_told_by_their_formats),
        cmocka_unit_test(likeness_decides_nothing),
        cmocka_unit_test(messages_in_messages_are_told_too),
        cmocka_unit_test(names_are_not_translated),
        cmocka_unit_test(names_may_hold_anything),
        cmocka_unit_test(a_format_without_a_translation_stays_english),
        cmocka_unit_test(long_messages_are_cut),
        cmocka_unit_test(origins_are_kept_and_remembered),
        cmocka_unit_test(wrong_origins_harm_nothing),
        cmocka_unit_test(arguments_may_change_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
