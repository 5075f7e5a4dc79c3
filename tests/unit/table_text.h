/* The text of a table, for tests of its words. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/language.h"
#include "report/terminal/report.h"

#include <cmocka.h> /* last: it has a macro called fail */

/* The tables of these measurements, this many columns wide, in that language; the caller frees the text. */
static inline char *table_text(const struct measurement_list *list, enum reader_language language, int width)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    language_choose(language);
    report_tables(stream, list, (struct style){.width = width});
    language_choose(LANGUAGE_ENGLISH);
    assert_int_equal(fclose(stream), 0);
    return text;
}
