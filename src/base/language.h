/* The reader's language: English or Russian, for the terminal and the report (base/translation.h has the texts). What
 * programs read (JSON, CSV, exit codes, names of rungs and fields) is English always.
 *
 * The language is the program's, chosen once when it starts; it is English until then. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum reader_language {
    LANGUAGE_ENGLISH,
    LANGUAGE_RUSSIAN,
    LANGUAGE_COUNT,
};

/* Reads "en", "ru", or a locale's name ("ru_RU.UTF-8"); false for any other language, and for a locale whose letters
 * are not UTF-8. */
bool language_parse(const char *name, enum reader_language *language);

/* The language of LC_ALL, LC_MESSAGES or LANG (the first of them that is set); English for an unsupported language.
 */
enum reader_language language_of_environment(void);

void language_choose(enum reader_language language);
enum reader_language language_now(void);

/* "en", "ru" */
const char *language_code(enum reader_language language);

/* The language's own word for a unit ("GB/s", "ms"); any other text is returned unchanged. */
const char *say_unit(const char *unit);

/* Who knows the English headings of kernels by their names ("sort": "Sort"); NULL for a name that has none. */
void language_kernels(const char *(*heading)(const char *kernel));

/* A kernel's heading in the language chosen; its name when there is no heading. */
const char *say_kernel(const char *kernel);

/* Makes the point of every number in `text` the language's own ("3.5" is "3,5" in Russian); returns `text`. */
char *say_number(char *text);

/* Both for "12.3 µs", "1.5 GiB" (base/text.h): the number's point, and the unit behind the space; returns `text`. */
char *say_quantity(char *text, size_t size);
