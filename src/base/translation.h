/* Translations: gettext's way of writing, from one program.
 *
 * Every text that people read is written in English where it is used, inside tr() or one of its kin; po/ru.po has the
 * Russian. msgfmt compiles the catalogue, and the build puts the result into the program, so that it stays one file.
 * A text without a translation stays English. `make messages` collects the texts and lists what is missing. */
#pragma once

#include <stddef.h>

/* Marks a text that is translated later, by tr(), when it is shown: in a table, a kernel's title, a rung's idea. */
#define N_(english) english

/* The text in the language chosen (base/language.h), or the text itself. It may be a format for printf: the
 * translation takes the same arguments, which msgfmt checks. The result is static. */
const char *tr(const char *english) __attribute__((format_arg(1)));

/* The form that goes with `count`: "1 rung", "2 rungs"; "1 ступень", "2 ступени", "5 ступеней". */
const char *tr_plural(const char *one, const char *many, size_t count) __attribute__((format_arg(1), format_arg(2)));
