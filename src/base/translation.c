#include "base/translation.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/embedded.h"
#include "base/language.h"

/* A catalogue as msgfmt writes it (gettext's manual, "The Format of GNU MO Files"): a header of 32-bit words in the
 * machine's byte order, then two tables of (length, offset): the English texts, sorted, and their translations. The
 * forms of a plural stand one behind another, each with its zero. */
#define MAGIC 0x950412deu

enum { WORD_MAGIC, WORD_COUNT = 2, WORD_ENGLISH, WORD_TRANSLATED };

static uint32_t word(const struct embedded_file *catalogue, size_t offset, size_t index)
{
    uint32_t value;
    memcpy(&value, catalogue->text + offset + index * sizeof value, sizeof value);
    return value;
}

/* NULL for English, which has none. */
static const struct embedded_file *catalogue(void)
{
    static const struct embedded_file *found[LANGUAGE_COUNT];
    enum reader_language language = language_now();
    if (language != LANGUAGE_ENGLISH && !found[language]) {
        char path[32];
        snprintf(path, sizeof path, "po/%s.mo", language_code(language));
        const struct embedded_file *file = embedded_find(path);
        if (file && word(file, 0, WORD_MAGIC) == MAGIC)
            found[language] = file;
    }
    return found[language];
}

/* The translations of a text, one for each form; NULL when there are none. */
static const char *find(const char *english)
{
    const struct embedded_file *file = catalogue();
    if (!file || !*english) /* the empty text's translation is the catalogue's own header */
        return NULL;
    size_t low = 0, high = word(file, 0, WORD_COUNT);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(english, file->text + word(file, word(file, 0, WORD_ENGLISH), 2 * middle + 1));
        if (order == 0)
            return file->text + word(file, word(file, 0, WORD_TRANSLATED), 2 * middle + 1);
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

const char *tr(const char *english)
{
    const char *translated = find(english);
    return translated ? translated : english;
}

/* Russian: one (1, 21, 101 …), few (2–4, 22–24 …), many (the rest, and 11–14); as po/ru.po's header has it. */
static size_t russian_form(size_t count)
{
    size_t tens = count % 100, ones = count % 10;
    if (tens >= 11 && tens <= 14)
        return 2;
    return ones == 1 ? 0 : ones >= 2 && ones <= 4 ? 1 : 2;
}

const char *tr_plural(const char *one, const char *many, size_t count)
{
    const char *translated = find(one);
    if (!translated)
        return count == 1 ? one : many;
    for (size_t form = russian_form(count); form > 0; form--)
        translated += strlen(translated) + 1;
    return translated;
}
