#include "base/visible.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"

/* Characters shown as escapes: C0 and C1 are commands to a terminal, the others change how neighbouring characters are
 * read, or are never seen. */
static const struct {
    uint32_t first, last;
} hidden[] = {
    {0x00, 0x1f},     {0x7f, 0x9f},     {0xad, 0xad},     {0x34f, 0x34f},     {0x61c, 0x61c},
    {0x115f, 0x1160}, {0x17b4, 0x17b5}, {0x180b, 0x180f}, {0x200b, 0x200b},   {0x200e, 0x200f},
    {0x2028, 0x202e}, {0x2060, 0x206f}, {0x2800, 0x2800}, {0x3164, 0x3164},   {0xfeff, 0xfeff},
    {0xffa0, 0xffa0}, {0xfff9, 0xfffb}, {0xfffe, 0xffff}, {0xe0000, 0xe007f},
};

/* 1: a variation selector, 2: a joiner (U+200C, U+200D). Letters of Asia and emoji need them; alone they are not seen.
 */
static int joins(uint32_t letter)
{
    const bool selects = (letter >= 0xfe00 && letter <= 0xfe0f) || (letter >= 0xe0100 && letter <= 0xe01ef);
    return selects ? 1 : letter == 0x200c || letter == 0x200d ? 2 : 0;
}

/* `before`: the letter in front of it; 0 where there is none. */
static bool is_hidden(uint32_t letter, uint32_t before)
{
    for (size_t i = 0; i < COUNT_OF(hidden); i++)
        if (letter >= hidden[i].first && letter <= hidden[i].last)
            return true;
    return joins(letter) && (before < 0x300 || joins(letter) <= joins(before));
}

size_t visible_letter(const unsigned char *text, uint32_t *letter)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = text[0];
    size_t count = first < 0x80             ? 1
                   : (first & 0xe0) == 0xc0 ? 2
                   : (first & 0xf0) == 0xe0 ? 3
                   : (first & 0xf8) == 0xf0 ? 4
                                            : 0;
    *letter = count == 1 ? first : count ? first & (0x7fu >> count) : 0;
    for (size_t i = 1; i < count; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        *letter = *letter << 6 | (text[i] & 0x3fu);
    }
    bool is_letter = count && *letter >= least[count] && *letter <= 0x10ffff && (*letter < 0xd800 || *letter > 0xdfff);
    return is_letter ? count : 0;
}

bool visible_is(const char *text)
{
    uint32_t letter, before = 0;
    for (const unsigned char *at = (const unsigned char *)text; *at; before = letter) {
        size_t bytes = visible_letter(at, &letter);
        if (!bytes || is_hidden(letter, before))
            return false;
        at += bytes;
    }
    return true;
}

bool visible_copy(const char *from, char *to, size_t size)
{
    size_t length = 0;
    uint32_t before = 0;
    for (const unsigned char *at = (const unsigned char *)from; *at;) {
        char shown[16];
        uint32_t letter;
        size_t bytes = visible_letter(at, &letter), count;
        if (bytes && !is_hidden(letter, before)) {
            memcpy(shown, at, bytes);
            count = bytes;
            before = letter;
        } else {
            before = 0;
            bool is_byte = !bytes || letter < 0x100;
            count = (size_t)snprintf(shown, sizeof shown,
                                     is_byte            ? "\\x%02x"
                                     : letter < 0x10000 ? "\\u%04x"
                                                        : "\\U%08x",
                                     bytes ? (unsigned)letter : (unsigned)*at);
        }
        if (length + count >= size) {
            to[length] = 0;
            return false;
        }
        memcpy(to + length, shown, count);
        length += count;
        at += bytes ? bytes : 1;
    }
    to[length] = 0;
    return true;
}

void visible_make(char *text, size_t size)
{
    if (visible_is(text))
        return;
    char *copy = strdup(text);
    if (copy)
        visible_copy(copy, text, size);
    else
        *text = 0; /* rather nothing than a command to the terminal */
    free(copy);
}
