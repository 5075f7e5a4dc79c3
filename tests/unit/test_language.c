/* The two languages: numbers choose the form, locales the language, and what has no translation stays English. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/language.h"
#include "base/size.h"
#include "base/translation.h"

static void numbers_choose_the_form(void **state)
{
    (void)state;
    static const struct {
        size_t count;
        const char *english, *russian;
    } cases[] = {{0, "%u threads", "%u потоков"},  {1, "%u thread", "%u поток"},      {2, "%u threads", "%u потока"},
                 {4, "%u threads", "%u потока"},   {5, "%u threads", "%u потоков"},   {11, "%u threads", "%u потоков"},
                 {12, "%u threads", "%u потоков"}, {14, "%u threads", "%u потоков"},  {20, "%u threads", "%u потоков"},
                 {21, "%u threads", "%u поток"},   {22, "%u threads", "%u потока"},   {25, "%u threads", "%u потоков"},
                 {101, "%u threads", "%u поток"},  {111, "%u threads", "%u потоков"}, {112, "%u threads", "%u потоков"},
                 {122, "%u threads", "%u потока"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        language_choose(LANGUAGE_ENGLISH);
        assert_string_equal(tr_plural("%u thread", "%u threads", cases[i].count), cases[i].english);
        language_choose(LANGUAGE_RUSSIAN);
        assert_string_equal(tr_plural("%u thread", "%u threads", cases[i].count), cases[i].russian);
    }
    assert_string_equal(tr_plural("nobody's one", "nobody's many", 2), "nobody's many");
    language_choose(LANGUAGE_ENGLISH);
}

static void locales_choose_the_language(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool known;
        enum reader_language language;
    } cases[] = {{"ru", true, LANGUAGE_RUSSIAN},
                 {"ru_RU.UTF-8", true, LANGUAGE_RUSSIAN},
                 {"ru_RU.utf8", true, LANGUAGE_RUSSIAN},
                 {"ru_RU.KOI8-R", false, 0},
                 {"ru_UA.UTF-8@x", true, LANGUAGE_RUSSIAN},
                 {"en_GB.UTF-8", true, LANGUAGE_ENGLISH},
                 {"C", true, LANGUAGE_ENGLISH},
                 {"C.UTF-8", true, LANGUAGE_ENGLISH},
                 {"de_DE.UTF-8", false, 0},
                 {"", false, 0},
                 {"rub", false, 0}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        enum reader_language language = LANGUAGE_COUNT;
        assert_int_equal(language_parse(cases[i].name, &language), cases[i].known);
        assert_int_equal(language, cases[i].known ? cases[i].language : LANGUAGE_COUNT);
    }
    setenv("LC_ALL", "", 1);
    setenv("LC_MESSAGES", "ru_RU.UTF-8", 1);
    setenv("LANG", "en_US.UTF-8", 1);
    assert_int_equal(language_of_environment(), LANGUAGE_RUSSIAN);
    setenv("LC_ALL", "C", 1);
    assert_int_equal(language_of_environment(), LANGUAGE_ENGLISH);
    unsetenv("LC_ALL");
    setenv("LC_MESSAGES", "fr_FR.UTF-8", 1);
    assert_int_equal(language_of_environment(), LANGUAGE_ENGLISH);
}

static void quantities_have_the_language_s_point_and_unit(void **state)
{
    (void)state;
    char text[32] = "12.3 µs", bytes[32] = "1.5 GiB", plain[32] = "12.3 µs", version[] = "v1.2.3 a.b 4.";
    assert_string_equal(say_quantity(plain, sizeof plain), "12.3 µs");
    language_choose(LANGUAGE_RUSSIAN);
    assert_string_equal(say_quantity(text, sizeof text), "12,3 мкс");
    assert_string_equal(say_quantity(bytes, sizeof bytes), "1,5 ГиБ");
    assert_string_equal(say_number(version), "v1,2,3 a.b 4.");
    assert_string_equal(say_unit("GB/s"), "ГБ/с");
    assert_string_equal(say_unit("furlong/s"), "furlong/s");
    assert_string_equal(tr(""), "");
    language_choose(LANGUAGE_ENGLISH);
    assert_string_equal(say_unit("GB/s"), "GB/s");
}

static const char *headings(const char *kernel)
{
    return strcmp(kernel, "sort") == 0 ? "Sort" : strcmp(kernel, "new") == 0 ? "Newest of all" : NULL;
}

/* A kernel, a rung, a reason that nobody has translated is as good as any other, in English. */
static void what_has_no_translation_stays_english(void **state)
{
    (void)state;
    static const char idea[] = "an idea that nobody has translated: it is shown as it was written";
    language_choose(LANGUAGE_RUSSIAN);
    assert_ptr_equal(tr(idea), idea);
    assert_string_equal(say_kernel("sort"), "sort");
    language_kernels(headings);
    assert_string_equal(say_kernel("sort"), "Сортировка");
    assert_string_equal(say_kernel("new"), "Newest of all");
    assert_string_equal(say_kernel("mine"), "mine");
    language_kernels(NULL);
    language_choose(LANGUAGE_ENGLISH);
    assert_ptr_equal(tr("Sort"), tr("Sort"));
    assert_string_equal(tr("Sort"), "Sort");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_choose_the_form),
        cmocka_unit_test(locales_choose_the_language),
        cmocka_unit_test(what_has_no_translation_stays_english),
        cmocka_unit_test(quantities_have_the_language_s_point_and_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
