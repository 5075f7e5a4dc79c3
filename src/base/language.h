/* The words people read, in English and in Russian: one table (texts.def) for the terminal and the report. What
 * programs read (JSON, CSV, exit codes, names of rungs and fields) is English always.
 *
 * The language is the program's, chosen once when it starts; it is English until then. */
#ifndef USKOR_BASE_LANGUAGE_H
#define USKOR_BASE_LANGUAGE_H

#include <stdbool.h>
#include <stddef.h>

enum reader_language {
    LANGUAGE_ENGLISH,
    LANGUAGE_RUSSIAN,
    LANGUAGE_COUNT,
};

enum text {
#define TEXT(id, english, russian) TEXT_##id,
#define PLURAL(id, one, many, russian_one, russian_few, russian_many) TEXT_##id,
#include "base/texts.def"
#undef TEXT
#undef PLURAL
    TEXT_COUNT,
};

#define TEXT_FORMS_MAX 3

/* Reads "en", "ru", or a locale's name ("ru_RU.UTF-8"); false for any other language, and for a locale whose letters
 * are not UTF-8. */
bool language_parse(const char *name, enum reader_language *language);

/* What LC_ALL, LC_MESSAGES or LANG asks for (the first of them that is set); English when that is no language of ours.
 */
enum reader_language language_of_environment(void);

void language_choose(enum reader_language language);
enum reader_language language_now(void);

/* "en", "ru" */
const char *language_code(enum reader_language language);

/* The text in the language chosen; it may be a format for printf. */
const char *say(enum text id);

/* The text in the form that goes with `count`: "1 rung", "2 rungs"; "1 ступень", "2 ступени", "5 ступеней". */
const char *say_counted(enum text id, size_t count);

/* One form of a text in one language, for tests; NULL when it has no such form. */
const char *text_form(enum text id, enum reader_language language, size_t form);

/* The language's own word for a unit ("GB/s", "ms"), a kernel's title; what is not in the table comes back as it is. */
const char *say_unit(const char *unit);
const char *say_kernel(const char *kernel);

/* A sentence that others wrote in English (a rung's idea, a command's summary) in the language chosen: its translation
 * in sentences.def, which goes by the very words, or the sentence itself. */
const char *say_sentence(const char *sentence);

/* Makes the point of every number in `text` the language's own ("3.5" is "3,5" in Russian); returns `text`. */
char *say_number(char *text);

/* Both for "12.3 µs", "1.5 GiB" (base/text.h): the number's point, and the unit behind the space; returns `text`. */
char *say_quantity(char *text, size_t size);

#endif
