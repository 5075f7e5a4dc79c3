/* The two languages: no text lacks its translation, formats agree, numbers choose the right form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/kernel.h" /* before cmocka, whose fail is a macro */

#include <cmocka.h>

#include "base/language.h"
#include "base/size.h"

/* The conversions of a format, in order: "%zu %s" is "zu s ". */
static void conversions(const char *format, char *result)
{
    *result = 0;
    for (const char *at = format; *at; at++) {
        if (*at != '%')
            continue;
        if (at[1] == '%' || at[1] == ' ' || !at[1]) { /* a per cent sign: of a text, or escaped */
            at += at[1] == '%';
            continue;
        }
        size_t length = strcspn(at, "diuxfgescp") + 1;
        assert_true(length < 12);
        strncat(result, at + 1, length - 1);
        strcat(result, " ");
        at += length - 1;
    }
}

static size_t forms(enum text id, enum reader_language language)
{
    size_t count = 0;
    while (count < TEXT_FORMS_MAX && text_form(id, language, count))
        count++;
    return count;
}

static void every_text_is_in_both_languages(void **state)
{
    (void)state;
    for (enum text id = 0; id < TEXT_COUNT; id++) {
        size_t english = forms(id, LANGUAGE_ENGLISH), russian = forms(id, LANGUAGE_RUSSIAN);
        assert_true((english == 1 && russian == 1) || (english == 2 && russian == 3));
        for (size_t form = 0; form < russian; form++)
            assert_true(*text_form(id, LANGUAGE_RUSSIAN, form));
        assert_true(*text_form(id, LANGUAGE_ENGLISH, 0));
    }
}

static void formats_agree(void **state)
{
    (void)state;
    char first[256], other[256];
    for (enum text id = 0; id < TEXT_COUNT; id++) {
        conversions(text_form(id, LANGUAGE_ENGLISH, 0), first);
        for (int language = 0; language < LANGUAGE_COUNT; language++)
            for (size_t form = 0; form < forms(id, language); form++) {
                conversions(text_form(id, language, form), other);
                assert_string_equal(first, other);
            }
    }
}

/* The report writes formats as markup: only what is put into them is escaped. */
static void no_text_is_markup(void **state)
{
    (void)state;
    for (enum text id = 0; id < TEXT_COUNT; id++)
        for (int language = 0; language < LANGUAGE_COUNT; language++)
            for (size_t form = 0; form < forms(id, language); form++)
                assert_null(strpbrk(text_form(id, language, form), "<>&\""));
}

static void numbers_choose_the_form(void **state)
{
    (void)state;
    static const struct {
        size_t count, english, russian;
    } cases[] = {{0, 1, 2},  {1, 0, 0},  {2, 1, 1},  {4, 1, 1},  {5, 1, 2},   {11, 1, 2},  {12, 1, 2},  {14, 1, 2},
                 {20, 1, 2}, {21, 1, 0}, {22, 1, 1}, {25, 1, 2}, {101, 1, 0}, {111, 1, 2}, {112, 1, 2}, {122, 1, 1}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        language_choose(LANGUAGE_ENGLISH);
        assert_ptr_equal(say_counted(TEXT_REPORT_FACT_SAMPLES, cases[i].count),
                         text_form(TEXT_REPORT_FACT_SAMPLES, LANGUAGE_ENGLISH, cases[i].english));
        language_choose(LANGUAGE_RUSSIAN);
        assert_ptr_equal(say_counted(TEXT_REPORT_FACT_SAMPLES, cases[i].count),
                         text_form(TEXT_REPORT_FACT_SAMPLES, LANGUAGE_RUSSIAN, cases[i].russian));
    }
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
    assert_string_equal(say_kernel("sort"), "Сортировка");
    assert_string_equal(say_kernel("mine"), "mine");
    assert_string_equal(say_sentence("nobody's idea"), "nobody's idea");
    language_choose(LANGUAGE_ENGLISH);
    assert_string_equal(say_unit("GB/s"), "GB/s");
}

/* Every rung says its idea in both languages. */
static void ideas_are_translated(void **state)
{
    (void)state;
    size_t ideas = 0, translated = 0;
    language_choose(LANGUAGE_RUSSIAN);
    for (size_t k = 0; kernels[k]; k++) {
        const struct rung *const *rungs;
        size_t count;
        assert_int_equal(kernel_rungs(kernels[k], &rungs, &count, NULL), STATUS_OK);
        assert_string_not_equal(say_kernel(kernels[k]->name), kernels[k]->name);
        for (size_t r = 0; r < count; r++) {
            bool is_same = strcmp(say_sentence(rungs[r]->idea), rungs[r]->idea) == 0;
            if (is_same)
                print_message("no translation in src/base/sentences.def: %s\n", rungs[r]->idea);
            translated += !is_same;
            ideas++;
        }
    }
    language_choose(LANGUAGE_ENGLISH);
    assert_true(ideas > 50);
    assert_int_equal(translated, ideas);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_text_is_in_both_languages),
        cmocka_unit_test(formats_agree),
        cmocka_unit_test(no_text_is_markup),
        cmocka_unit_test(numbers_choose_the_form),
        cmocka_unit_test(locales_choose_the_language),
        cmocka_unit_test(ideas_are_translated),
        cmocka_unit_test(quantities_have_the_language_s_point_and_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
