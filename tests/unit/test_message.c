/* Messages in Russian: known by their formats, told whole, and no format of the program's own lacks its twin. */
#include <ctype.h>
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/language.h"
#include "base/message.h"
#include "base/size.h"

#define FILE_MOST 100000
#define FORMAT_MOST 1024

static void in_russian(const char *english, const char *russian)
{
    language_choose(LANGUAGE_ENGLISH);
    assert_ptr_equal(say_message(english), english);
    language_choose(LANGUAGE_RUSSIAN);
    assert_string_equal(say_message(english), russian);
    language_choose(LANGUAGE_ENGLISH);
}

static void messages_are_known_by_their_formats(void **state)
{
    (void)state;
    in_russian("a.npy: cannot be opened: No such file or directory",
               "a.npy: не открывается: такого файла или папки нет");
    in_russian("there is no option --devise; did you mean --device?", "ключа --devise нет; может быть, --device?");
    in_russian("--time takes a number from 0.5 to 3; this is 'x'", "--time — это число от 0,5 до 3, а не «x»");
    in_russian("b.npy: no room on its disk for 1.5 GiB", "b.npy: на его диске нет места для 1,5 ГиБ");
    in_russian("opencl:1: this machine has 1 opencl device; the last is opencl:0",
               "opencl:1: на этой машине устройств: 1 (opencl); последнее — opencl:0");
    in_russian("70 % of the limit: faster than this machine can move the data, so the figure is wrong",
               "70 % предела: быстрее, чем эта машина перемещает данные, значит, число неверно");
}

/* The format that says most of it itself: "%s: is of rank %d; %s was expected" would do, too. */
static void the_closest_format_is_taken(void **state)
{
    (void)state;
    in_russian("a.npy: is of rank 3; a matrix (two axes) was expected", "a.npy: осей: 3, а нужна матрица (две оси)");
    in_russian("a.npy: is of rank 3; a vector (one axis) was expected", "a.npy: осей: 3, а нужны: вектор (одна ось)");
}

static void what_stands_before_a_colon_is_kept(void **state)
{
    (void)state;
    in_russian("warning: what is measured is not kept: s.sqlite: cannot be made: Permission denied",
               "предупреждение: измеренное не сохраняется: s.sqlite: создать не удаётся: нет прав");
    in_russian("after the timing: [3][4] of nobody knows what", "после измерения: [3][4] of nobody knows what");
    in_russian("theirs: no memory for the store", "theirs: нет памяти для хранилища");
    in_russian("theirs: nothing of what is compared is in it", "theirs: ничего из сравниваемого там нет");
    in_russian("run 3: nothing of --rung simd is in it", "запуск 3: ничего о --rung simd там нет");
    in_russian("label 'before': nothing of --rung simd is in it", "метка «before»: ничего о --rung simd там нет");
    in_russian("no whole times in A and B", "нет полного времени в A и B");
    in_russian("nobody's message: about nothing", "nobody's message: about nothing");
    in_russian("", "");
}

/* A name of a file is not a word of ours, even where it looks like one. */
static void names_are_not_translated(void **state)
{
    (void)state;
    in_russian("FILE: cannot be opened: Is a directory", "FILE: не открывается: это папка");
}

static void long_messages_are_cut(void **state)
{
    (void)state;
    char message[3000];
    memset(message, 'a', sizeof message);
    strcpy(message + sizeof message - 30, ": no memory for the store");
    language_choose(LANGUAGE_RUSSIAN);
    assert_in_range(strlen(say_message(message)), 1000, sizeof message - 1);
    language_choose(LANGUAGE_ENGLISH);
}

/* ---- formats ---- */

/* The kinds of a format's conversions, a letter for each: 's' a text, 'd' a number. */
static void kinds(const char *format, char *result)
{
    for (; *format; format++) {
        if (*format != '%')
            continue;
        format += 1 + strspn(format + 1, "0123456789+-#.*hlzjt");
        assert_true(*format);
        if (*format != '%')
            *result++ = strchr("sc", *format) ? 's' : 'd';
    }
    *result = 0;
}

static void formats_agree(void **state)
{
    (void)state;
    const char *english, *russian, *other;
    for (size_t i = 0; message_formats(i, &english, &russian); i++) {
        char first[64], second[64];
        kinds(english, first);
        kinds(russian, second);
        if (strcmp(first, second) != 0)
            fail_msg("'%s' takes %s, and '%s' %s", english, first, russian, second);
        assert_true(*russian);
        for (size_t j = 0; j < i && message_formats(j, &other, &russian); j++)
            if (strcmp(english, other) == 0)
                fail_msg("'%s' stands twice", english);
    }
}

/* ---- the program's own formats ---- */

/* Reads literals that stand side by side, and inttypes.h's macros between them, from *at on; false when there is none.
 */
static bool read_literals(const char **at, char *text, size_t size)
{
    size_t length = 0;
    bool any = false;
    for (;;) {
        *at += strspn(*at, " \t\n");
        if (any && strncmp(*at, "PRI", 3) == 0) {
            *at += strcspn(*at, " \n\")");
            text[length++] = 'd';
            continue;
        }
        if (**at != '"')
            break;
        for (++*at; **at != '"'; ++*at) {
            *at += **at == '\\';
            assert_true(**at && length + 2 < size);
            text[length++] = *(*at - 1) == '\\' && **at == 'n' ? '\n' : **at;
        }
        ++*at;
        any = true;
    }
    text[length] = 0;
    return any;
}

/* The first literal among a call's own arguments; `at` is behind its parenthesis. */
static bool first_literal(const char *at, char *text, size_t size)
{
    for (int depth = 1; *at && depth > 0;) {
        if (*at == '"' && depth == 1)
            return read_literals(&at, text, size);
        if (*at == '"')
            read_literals(&at, text, size);
        else if (*at == '\'')
            at += at[1] == '\\' ? 4 : 3;
        else
            depth += (*at == '(') - (*at == ')'), at++;
    }
    return false;
}

/* Whether a format has words to be translated: a single one is a name, and so is one_of_several. */
static bool has_words(const char *format)
{
    size_t words = 0, letters = 0;
    if (!strchr(format, ' '))
        return false;
    for (; *format; format++) {
        if (*format == '%' && format[1])
            format += 1 + strspn(format + 1, "0123456789+-#.*hlzjt");
        letters = isalpha((unsigned char)*format) ? letters + 1 : 0;
        words += letters == 2;
    }
    return words > 1;
}

static size_t check_calls(const char *path, const char *source, const char *function)
{
    size_t wrong = 0;
    for (const char *at = source; (at = strstr(at, function)); at++) {
        char format[FORMAT_MOST];
        bool is_whole = at == source || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
        if (!is_whole || !first_literal(at + strlen(function), format, sizeof format) || !has_words(format) ||
            message_is_known(format))
            continue;
        print_error("%s: no Russian twin: %s\n", path, format);
        wrong++;
    }
    return wrong;
}

/* The reasons of a rung's file: "// require: CONDITION, REASON", where conditions have commas in parentheses only. */
static size_t check_requirements(const char *path, const char *source)
{
    static const char word[] = "// require: ";
    size_t wrong = 0;
    for (const char *at = source; (at = strstr(at, word));) {
        at += strlen(word);
        for (int depth = 0; *at != ',' || depth > 0; at++) {
            assert_true(*at && *at != '\n');
            depth += (*at == '(') - (*at == ')');
        }
        at += 1 + strspn(at + 1, " ");
        char reason[FORMAT_MOST];
        snprintf(reason, sizeof reason, "%.*s", (int)strcspn(at, "\n"), at);
        if (message_is_known(reason))
            continue;
        print_error("%s: no Russian twin: %s\n", path, reason);
        wrong++;
    }
    return wrong;
}

static char *read_source(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = calloc(1, FILE_MOST + 1);
    assert_non_null(file);
    assert_non_null(text);
    assert_in_range(fread(text, 1, FILE_MOST, file), 1, FILE_MOST - 1);
    fclose(file);
    return text;
}

/* What nobody but a developer sees has no Russian: files that are built in, and a comparator that would be broken. */
static bool is_for_developers(const char *path)
{
    static const char *const parts[] = {"/publications/", "/comparator_self_test.c", "/kernels/source_", "/fields.c"};
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        if (strstr(path, parts[i]))
            return true;
    return false;
}

static size_t check_folder(const char *folder, size_t *files)
{
    static const char *const functions[] = {"fail(",        "fail_in(",       "refuse_use(",     "refuse_option(",
                                            "opencl_fail(", "database_fail(", "snprintf(reason,"};
    size_t wrong = 0;
    DIR *opened = opendir(folder);
    assert_non_null(opened);
    for (struct dirent *entry; (entry = readdir(opened));) {
        char path[4096];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (!strchr(entry->d_name, '.'))
            wrong += check_folder(path, files);
        const char *ending = strrchr(entry->d_name, '.');
        bool is_c = ending && strcmp(ending, ".c") == 0;
        bool is_rung = ending && (strcmp(ending, ".cl") == 0 || strcmp(ending, ".cu") == 0);
        if ((!is_c && !is_rung) || is_for_developers(path))
            continue;
        char *source = read_source(path);
        for (size_t f = 0; f < COUNT_OF(functions) && is_c; f++)
            wrong += check_calls(path, source, functions[f]);
        wrong += is_rung ? check_requirements(path, source) : 0;
        free(source);
        ++*files;
    }
    closedir(opened);
    return wrong;
}

static void every_message_has_its_twin(void **state)
{
    (void)state;
    size_t files = 0;
    assert_int_equal(check_folder(USKOR_TEST_DATA "/../../src", &files), 0);
    assert_in_range(files, 150, 10000);
    assert_false(message_is_known("nobody says this"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_are_known_by_their_formats),
        cmocka_unit_test(the_closest_format_is_taken),
        cmocka_unit_test(what_stands_before_a_colon_is_kept),
        cmocka_unit_test(names_are_not_translated),
        cmocka_unit_test(long_messages_are_cut),
        cmocka_unit_test(formats_agree),
        cmocka_unit_test(every_message_has_its_twin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
