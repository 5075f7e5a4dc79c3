#include "report/model/key_values.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static struct key_value read_word(const char *text, size_t length)
{
    struct key_value word = {.name = text, .name_length = length};
    const char *equals = memchr(text, '=', length);
    if (!equals)
        return word;
    size_t digits = strspn(equals + 1, "0123456789");
    if (digits == 0 || digits > 18 || equals + 1 + digits != text + length)
        return word;
    word.name_length = (size_t)(equals - text);
    word.has_number = true;
    word.number = (double)strtoll(equals + 1, NULL, 10);
    return word;
}

size_t key_values_of(const char *text, char parting, struct key_value words[WORDS_MAX])
{
    const char *colon = strchr(text, ':');
    size_t count = 0;
    for (const char *at = colon ? colon + 1 : text; *at && count < WORDS_MAX;) {
        const char *end = strchr(at, parting);
        size_t length = end ? (size_t)(end - at) : strlen(at);
        if (length)
            words[count++] = read_word(at, length);
        at += length + (end != NULL);
    }
    return count;
}

const struct key_value *key_values_find(const struct key_value *words, size_t count, const char *name, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (words[i].name_length == length && strncmp(words[i].name, name, length) == 0)
            return &words[i];
    return NULL;
}

bool key_values_differ_in_numbers_only(const char *a, const char *b)
{
    struct key_value left[WORDS_MAX], right[WORDS_MAX];
    size_t count = key_values_of(a, ',', left);
    if (key_values_of(b, ',', right) != count)
        return false;
    for (size_t i = 0; i < count; i++)
        if (left[i].has_number != right[i].has_number || left[i].name_length != right[i].name_length ||
            strncmp(left[i].name, right[i].name, left[i].name_length) != 0)
            return false;
    return true;
}

/* The letters of a word in its text, its value included. */
static int letters(const struct key_value *word)
{
    return (int)strcspn(word->name, ",");
}

const char *key_values_of_difference(const char *text, const char *other, char *buffer, size_t size)
{
    struct key_value words[WORDS_MAX], others[WORDS_MAX];
    size_t count = key_values_of(text, ',', words), other_count = key_values_of(other, ',', others);
    buffer[0] = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_common = false;
        for (size_t o = 0; o < other_count && !is_common; o++)
            is_common = letters(&words[i]) == letters(&others[o]) &&
                        strncmp(words[i].name, others[o].name, (size_t)letters(&words[i])) == 0;
        if (!is_common)
            text_append(buffer, size, "%s%.*s", *buffer ? ", " : "", letters(&words[i]), words[i].name);
    }
    return buffer;
}
