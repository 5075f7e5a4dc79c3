#include "base/flat_json.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"

/* What is left to read, and to write texts into. */
struct reader {
    const char *at, *end;
    struct flat_json *json;
    size_t used;
    struct error *error;
};

static enum status refuse(struct reader *reader, const char *what)
{
    return fail(reader->error, STATUS_INVALID, "not JSON: %s", what);
}

static bool next_is(const struct reader *reader, char sign)
{
    return reader->at < reader->end && *reader->at == sign;
}

static void skip_spaces(struct reader *reader)
{
    while (reader->at < reader->end && memchr(" \t\r\n", *reader->at, 4))
        reader->at++;
}

static bool take(struct reader *reader, char sign)
{
    skip_spaces(reader);
    if (!next_is(reader, sign))
        return false;
    reader->at++;
    return true;
}

static bool put(struct reader *reader, unsigned byte)
{
    if (reader->used == sizeof reader->json->texts)
        return false;
    reader->json->texts[reader->used++] = (char)byte;
    return true;
}

/* ---- strings ----------------------------------------------------------------------------------------------------- */

static bool put_code(struct reader *reader, uint32_t code)
{
    if (code < 0x80)
        return put(reader, code);
    if (code < 0x800)
        return put(reader, 0xC0 | code >> 6) && put(reader, 0x80 | (code & 0x3F));
    if (code < 0x10000)
        return put(reader, 0xE0 | code >> 12) && put(reader, 0x80 | (code >> 6 & 0x3F)) &&
               put(reader, 0x80 | (code & 0x3F));
    return put(reader, 0xF0 | code >> 18) && put(reader, 0x80 | (code >> 12 & 0x3F)) &&
           put(reader, 0x80 | (code >> 6 & 0x3F)) && put(reader, 0x80 | (code & 0x3F));
}

/* Four digits after "\u"; false where there are not so many. */
static bool take_hexadecimal(struct reader *reader, uint32_t *code)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    *code = 0;
    for (int i = 0; i < 4; i++, reader->at++) {
        const char *digit = reader->at < reader->end && *reader->at ? strchr(digits, *reader->at) : NULL;
        if (!digit)
            return false;
        *code = *code << 4 | (uint32_t)((digit - digits) % 16);
    }
    return true;
}

/* A character beyond U+FFFF is two of them. U+0000 would end the string. */
static bool take_code(struct reader *reader)
{
    uint32_t code, low;
    if (!take_hexadecimal(reader, &code) || code == 0 || (code >= 0xDC00 && code < 0xE000))
        return false;
    if (code >= 0xD800 && code < 0xDC00) {
        if (reader->end - reader->at < 2 || memcmp(reader->at, "\\u", 2) != 0)
            return false;
        reader->at += 2;
        if (!take_hexadecimal(reader, &low) || low < 0xDC00 || low >= 0xE000)
            return false;
        code = 0x10000 + ((code - 0xD800) << 10 | (low - 0xDC00));
    }
    return put_code(reader, code);
}

static bool take_escape(struct reader *reader)
{
    static const char signs[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
    if (reader->at == reader->end)
        return false;
    const char sign = *reader->at++;
    const char *found = sign ? strchr(signs, sign) : NULL;
    if (sign == 'u')
        return take_code(reader);
    return found && put(reader, (unsigned char)means[found - signs]);
}

/* NULL where it is not a string, or has no room. */
static const char *take_string(struct reader *reader)
{
    const char *text = reader->json->texts + reader->used;
    if (!take(reader, '"'))
        return NULL;
    while (reader->at < reader->end && *reader->at != '"') {
        const unsigned char byte = (unsigned char)*reader->at++;
        if (byte < ' ' || !(byte == '\\' ? take_escape(reader) : put(reader, byte)))
            return NULL;
    }
    if (!next_is(reader, '"') || !put(reader, 0))
        return NULL;
    reader->at++;
    return text;
}

/* ---- other values ------------------------------------------------------------------------------------------------ */

/* Digits, the point and what else a number or a word is made of. */
static const char *take_plain(struct reader *reader)
{
    static const char signs[] = "+-.0123456789abcdefghijklmnopqrstuvwxyzE";
    const char *text = reader->json->texts + reader->used;
    while (reader->at < reader->end && *reader->at && strchr(signs, *reader->at))
        if (!put(reader, (unsigned char)*reader->at++))
            return NULL;
    return put(reader, 0) ? text : NULL;
}

/* text_real takes what JSON does not: "+1", "01", "1.", ".5". */
static bool is_json_number(const char *text)
{
    text += *text == '-';
    const size_t whole = strspn(text, "0123456789");
    if (whole == 0 || (whole > 1 && *text == '0'))
        return false;
    return text[whole] != '.' || strspn(text + whole + 1, "0123456789") > 0;
}

static enum status take_scalar(struct reader *reader, struct flat_json_value *value)
{
    const bool is_string = next_is(reader, '"');
    value->text = is_string ? take_string(reader) : take_plain(reader);
    if (!value->text)
        return refuse(reader, "a string that does not end, is too long, or has a wrong escape");
    if (is_string)
        value->kind = FLAT_STRING;
    else if (strcmp(value->text, "true") == 0 || strcmp(value->text, "false") == 0 || strcmp(value->text, "null") == 0)
        value->kind = FLAT_WORD;
    else if (is_json_number(value->text) && text_real(value->text, &value->number))
        value->kind = FLAT_NUMBER;
    else
        return refuse(reader, "a value that is not a string, a number, true, false, null or an object");
    return STATUS_OK;
}

/* ---- objects ----------------------------------------------------------------------------------------------------- */

static enum status take_object(struct reader *reader, const struct flat_json_value *parent);

static enum status take_member(struct reader *reader, const struct flat_json_value *parent)
{
    const char *name = take_string(reader);
    if (!name || !take(reader, ':'))
        return refuse(reader, "a name and a colon are missing");
    if (flat_json_find(reader->json, parent, name))
        return refuse(reader, "two values have one name");
    if (reader->json->count == FLAT_JSON_MOST)
        return refuse(reader, "too many values");
    struct flat_json_value *value = &reader->json->values[reader->json->count++];
    *value = (struct flat_json_value){.parent = parent, .name = name, .text = "", .kind = FLAT_OBJECT};
    skip_spaces(reader);
    if (!next_is(reader, '{'))
        return take_scalar(reader, value);
    return parent ? refuse(reader, "objects within objects within objects") : take_object(reader, value);
}

static enum status take_object(struct reader *reader, const struct flat_json_value *parent)
{
    enum status status = STATUS_OK;
    if (!take(reader, '{'))
        return refuse(reader, "an object begins with {");
    if (take(reader, '}'))
        return STATUS_OK;
    do
        status = take_member(reader, parent);
    while (status == STATUS_OK && take(reader, ','));
    if (status == STATUS_OK && !take(reader, '}'))
        status = refuse(reader, "an object ends with }");
    return status;
}

enum status flat_json_read(const char *text, size_t length, struct flat_json *json, struct error *error)
{
    struct reader reader = {.at = text, .end = text + length, .json = json, .error = error};
    json->count = 0;
    skip_spaces(&reader);
    if (next_is(&reader, '['))
        return fail(error, STATUS_INVALID, "not a JSON object");
    enum status status = take_object(&reader, NULL);
    skip_spaces(&reader);
    if (status == STATUS_OK && reader.at != reader.end)
        status = refuse(&reader, "something follows the object");
    return status;
}

const struct flat_json_value *flat_json_find(const struct flat_json *json, const struct flat_json_value *parent,
                                             const char *name)
{
    for (size_t i = 0; i < json->count; i++)
        if (json->values[i].parent == parent && strcmp(json->values[i].name, name) == 0)
            return &json->values[i];
    return NULL;
}
