#include "kernels/rung_header_block.h"

#include <stdbool.h>
#include <string.h>

#include "base/text.h"

enum { KEY_LENGTH_MAX = 31 };

static const struct {
    const char *name;
    bool repeats;
} keys[KEY_COUNT] = {
    [KEY_RUNG] = {"rung", false},       [KEY_IDEA] = {"idea", false},      [KEY_TUNE] = {"tune", true},
    [KEY_GROUP] = {"group", false},     [KEY_GROUPS] = {"groups", false},  [KEY_ENTRY] = {"entry", false},
    [KEY_ARGS] = {"args", false},       [KEY_REQUIRE] = {"require", true}, [KEY_NEEDS] = {"needs", false},
    [KEY_SCRATCH] = {"scratch", false}, [KEY_LOCAL] = {"local", false},    [KEY_BOUND] = {"bound", false},
    [KEY_TENSOR] = {"tensor", false},   [KEY_TAKES] = {"takes", false},
};

const char *source_key_name(enum source_key key)
{
    return keys[key].name;
}

/* ---- characters ----------------------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/* Bytes of the character at `text` when it is well-formed UTF-8 and no control character; else 0. */
static int character_length(const char *text, int left)
{
    const unsigned char *at = (const unsigned char *)text;
    if (at[0] < 0x80)
        return at[0] >= 0x20 && at[0] != 0x7f ? 1 : at[0] == '\t';
    int length = at[0] >= 0xc2 && at[0] <= 0xdf   ? 2
                 : at[0] >= 0xe0 && at[0] <= 0xef ? 3
                 : at[0] >= 0xf0 && at[0] <= 0xf4 ? 4
                                                  : 0;
    if (length == 0 || length > left)
        return 0;
    for (int i = 1; i < length; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    /* C1 controls, overlong forms, surrogates, and what is beyond Unicode. */
    if ((at[0] == 0xc2 && at[1] < 0xa0) || (at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] > 0x9f) ||
        (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] > 0x8f))
        return 0;
    return length;
}

/* ---- lines ---------------------------------------------------------------------------------------------------- */

struct cursor {
    const char *path;
    const char *at; /* the next line */
    int number;     /* of the line last taken */
    const char *line;
    int length; /* of that line, without blanks around it and without its end */
};

enum { LINE_LENGTH_MAX = 1 << 20 };

/* Takes the next line; false at the end of the text. */
static bool next_line(struct cursor *cursor)
{
    if (*cursor->at == '\0')
        return false;
    const char *end = cursor->at + strcspn(cursor->at, "\n");
    const char *start = cursor->at, *stop = end;
    while (start < stop && is_blank(*start))
        start++;
    while (stop > start && (is_blank(stop[-1]) || stop[-1] == '\r'))
        stop--;
    cursor->line = start;
    cursor->length = stop - start < LINE_LENGTH_MAX ? (int)(stop - start) : LINE_LENGTH_MAX;
    cursor->at = *end == '\n' ? end + 1 : end;
    cursor->number++;
    return true;
}

/* The length of the word before a line's colon; 0 when the line does not begin so. The value begins at *value. */
static int find_key(const char *text, int length, int *value)
{
    int word = 0;
    while (word < length && is_word(text[word]))
        word++;
    int colon = word;
    while (colon < length && is_blank(text[colon]))
        colon++;
    if (word == 0 || colon >= length || text[colon] != ':')
        return 0;
    int after = colon + 1;
    while (after < length && is_blank(text[after]))
        after++;
    *value = after;
    return word;
}

static enum status unknown_key(const struct cursor *cursor, const char *name, struct error *error)
{
    const char *names[KEY_COUNT];
    char all[128] = "";
    for (size_t i = 0; i < KEY_COUNT; i++) {
        names[i] = keys[i].name;
        text_append(all, sizeof all, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    const char *closest = text_closest(name, names, KEY_COUNT);
    if (closest)
        return fail(error, STATUS_INVALID, "%s:%d: unknown key '%s'; did you mean '%s'?", cursor->path, cursor->number,
                    name, closest);
    return fail(error, STATUS_INVALID,
                "%s:%d: unknown key '%s'; there are %s (prose has no colon after its first word)", cursor->path,
                cursor->number, name, all);
}

static enum status check_value(const struct cursor *cursor, enum source_key key, const char *value, int length,
                               struct error *error)
{
    const char *name = keys[key].name;
    if (length == 0)
        return fail(error, STATUS_INVALID, "%s:%d: '%s:' says nothing; its value stands on the same line", cursor->path,
                    cursor->number, name);
    if (length >= BLOCK_VALUE_MAX)
        return fail(error, STATUS_INVALID, "%s:%d: '%s:' is %d bytes long; at most %d are taken", cursor->path,
                    cursor->number, name, length, BLOCK_VALUE_MAX - 1);
    for (int i = 0; i < length;) {
        int character = character_length(value + i, length - i);
        if (character == 0)
            return fail(error, STATUS_INVALID, "%s:%d: '%s:' holds the byte 0x%02x; it must be plain UTF-8 text",
                        cursor->path, cursor->number, name, (unsigned char)value[i]);
        i += character;
    }
    return STATUS_OK;
}

static enum status add_line(const struct cursor *cursor, struct source_block *block, enum source_key key,
                            const char *value, int length, struct error *error)
{
    for (int i = 0; i < block->count && !keys[key].repeats; i++)
        if (block->lines[i].key == key)
            return fail(error, STATUS_INVALID, "%s:%d: '%s:' stands on line %d already; it may stand once",
                        cursor->path, cursor->number, keys[key].name, block->lines[i].number);
    if (block->count >= BLOCK_LINES_MAX)
        return fail(error, STATUS_INVALID, "%s:%d: more than %d lines of keys", cursor->path, cursor->number,
                    BLOCK_LINES_MAX);
    enum status status = check_value(cursor, key, value, length, error);
    if (status == STATUS_OK)
        block->lines[block->count++] = (struct block_line){key, cursor->number, value, length};
    return status;
}

/* One comment line, after its slashes. */
static enum status read_comment(const struct cursor *cursor, struct source_block *block, struct error *error)
{
    const char *text = cursor->line + 2;
    int length = cursor->length - 2, value;
    while (length > 0 && is_blank(*text)) {
        text++;
        length--;
    }
    int word = find_key(text, length, &value);
    if (word == 0)
        return STATUS_OK;
    char name[KEY_LENGTH_MAX + 1];
    int shown = word < KEY_LENGTH_MAX ? word : KEY_LENGTH_MAX;
    memcpy(name, text, (size_t)shown);
    name[shown] = '\0';
    for (int key = 0; key < KEY_COUNT && word <= KEY_LENGTH_MAX; key++)
        if (strcmp(name, keys[key].name) == 0)
            return add_line(cursor, block, (enum source_key)key, text + value, length - value, error);
    /* "Author: …" above the first key, "https://…" */
    bool prose = block->count == 0 || (value < length && text[value - 1] == ':');
    return prose ? STATUS_OK : unknown_key(cursor, name, error);
}

enum status source_block_read(const char *path, const char *text, struct source_block *block, struct error *error)
{
    struct cursor cursor = {.path = path, .at = text_after_mark(text)};
    *block = (struct source_block){.last = 1};
    bool begun = false;
    while (next_line(&cursor)) {
        if (cursor.length == 0 && !begun)
            continue;
        if (cursor.length < 2 || strncmp(cursor.line, "//", 2) != 0)
            break;
        begun = true;
        block->last = cursor.number;
        enum status status = read_comment(&cursor, block, error);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}
