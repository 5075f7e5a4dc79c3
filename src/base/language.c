#include "base/language.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/size.h"

static const char *const texts[TEXT_COUNT][LANGUAGE_COUNT][TEXT_FORMS_MAX] = {
#define TEXT(id, english, russian) {{english}, {russian}},
#define PLURAL(id, one, many, russian_one, russian_few, russian_many) \
    {{one, many}, {russian_one, russian_few, russian_many}},
#include "base/texts.def"
#undef TEXT
#undef PLURAL
};

static enum reader_language current = LANGUAGE_ENGLISH;

bool language_parse(const char *name, enum reader_language *language)
{
    static const char *const russian[] = {"ru", "rus", "russian"}, *const english[] = {"en", "eng", "english", "c",
                                                                                       "posix"};
    size_t length = strcspn(name, "_.@");
    const char *charset = strchr(name, '.');
    if (charset && strncasecmp(charset, ".utf-8", 6) != 0 && strncasecmp(charset, ".utf8", 5) != 0)
        return false;
    for (size_t i = 0; i < COUNT_OF(russian); i++)
        if (strlen(russian[i]) == length && strncasecmp(name, russian[i], length) == 0)
            return *language = LANGUAGE_RUSSIAN, true;
    for (size_t i = 0; i < COUNT_OF(english); i++)
        if (strlen(english[i]) == length && strncasecmp(name, english[i], length) == 0)
            return *language = LANGUAGE_ENGLISH, true;
    return false;
}

enum reader_language language_of_environment(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    enum reader_language language = LANGUAGE_ENGLISH;
    for (size_t i = 0; i < COUNT_OF(variables); i++) {
        const char *value = getenv(variables[i]);
        if (value && *value) {
            language_parse(value, &language);
            break;
        }
    }
    return language;
}

void language_choose(enum reader_language language)
{
    current = language;
}

enum reader_language language_now(void)
{
    return current;
}

const char *language_code(enum reader_language language)
{
    static const char *const codes[] = {"en", "ru"};
    return codes[language];
}

const char *say(enum text id)
{
    return texts[id][current][0];
}

/* English: one, many. Russian: one (1, 21, 101 …), few (2–4, 22–24 …), many (the rest, and 11–14). */
static size_t form_of(size_t count)
{
    if (current == LANGUAGE_ENGLISH)
        return count != 1;
    size_t tens = count % 100, ones = count % 10;
    if (tens >= 11 && tens <= 14)
        return 2;
    return ones == 1 ? 0 : ones >= 2 && ones <= 4 ? 1 : 2;
}

const char *say_counted(enum text id, size_t count)
{
    return texts[id][current][form_of(count)];
}

const char *text_form(enum text id, enum reader_language language, size_t form)
{
    return texts[id][language][form];
}

/* English words that are their own key: a unit, a sentence. */
struct pair {
    const char *english, *russian;
};

static const char *translated(const struct pair *pairs, size_t count, const char *english)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(pairs[i].english, english) == 0)
            return pairs[i].russian;
    return english;
}

const char *say_unit(const char *unit)
{
    static const struct pair pairs[] = {
        {"GB/s", "ГБ/с"},
        {"GFLOP/s", "Гфлоп/с"},
        {"Mkeys/s", "Мключ/с"},
        {"Mpixel/s", "Мпикс/с"},
        {"Gpoints/s", "Гточ/с"},
        {"ns", "нс"},
        {"µs", "мкс"},
        {"ms", "мс"},
        {"GHz", "ГГц"},
        {"s", "с"},
        {"B", "Б"},
        {"KiB", "КиБ"},
        {"MiB", "МиБ"},
        {"GiB", "ГиБ"},
        {"TiB", "ТиБ"},
    };
    return current == LANGUAGE_RUSSIAN ? translated(pairs, COUNT_OF(pairs), unit) : unit;
}

const char *say_kernel(const char *kernel)
{
    static const struct {
        const char *name;
        enum text title;
    } titles[] = {
        {"transpose", TEXT_KERNEL_TRANSPOSE}, {"sort", TEXT_KERNEL_SORT},           {"dot", TEXT_KERNEL_DOT},
        {"matmul", TEXT_KERNEL_MATMUL},       {"resize", TEXT_KERNEL_RESIZE},       {"wave", TEXT_KERNEL_WAVE},
        {"pipeline", TEXT_KERNEL_PIPELINE},   {"bandwidth", TEXT_KERNEL_BANDWIDTH}, {"overlap", TEXT_KERNEL_OVERLAP},
    };
    for (size_t i = 0; i < COUNT_OF(titles); i++)
        if (strcmp(titles[i].name, kernel) == 0)
            return say(titles[i].title);
    return kernel;
}

const char *say_sentence(const char *sentence)
{
    static const struct pair pairs[] = {
#define SENTENCE(english, russian) {english, russian},
#include "base/help.def"
#include "base/sentences.def"
#undef SENTENCE
    };
    return current == LANGUAGE_RUSSIAN ? translated(pairs, COUNT_OF(pairs), sentence) : sentence;
}

char *say_number(char *text)
{
    if (current == LANGUAGE_RUSSIAN)
        for (char *at = text; *at; at++)
            if (*at == '.' && at > text && isdigit((unsigned char)at[-1]) && isdigit((unsigned char)at[1]))
                *at = ',';
    return text;
}

char *say_quantity(char *text, size_t size)
{
    char *space = strrchr(text, ' ');
    if (space) {
        const char *unit = say_unit(space + 1); /* never the text's own letters, unless it is unchanged */
        size_t length = (size_t)(space + 1 - text);
        if (unit != space + 1 && length < size)
            snprintf(space + 1, size - length, "%s", unit);
    }
    return say_number(text);
}
