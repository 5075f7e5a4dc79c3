#include "files/npy_header.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "base/text.h"
#include "base/translation.h"
#include "files/npy_type.h"

/* The unread rest of the header. */
struct cursor {
    const unsigned char *at, *end, *start;
};

/* White space, and Python's comments up to the end of their line, if they are plain ASCII. */
static void skip_space(struct cursor *cursor)
{
    bool is_comment = false;
    for (; cursor->at < cursor->end; cursor->at++) {
        is_comment = is_comment ? *cursor->at >= ' ' && *cursor->at < 127 : *cursor->at == '#';
        if (!is_comment && !memchr(" \t\r\n\f", *cursor->at, 5))
            return;
    }
}

/* "the header is damaged at byte 17: ':' expected, '\x00' found". */
static enum status damaged(const struct cursor *cursor, const char *expected, struct error *error)
{
    char found[16] = "its end";
    if (cursor->at < cursor->end && *cursor->at >= ' ' && *cursor->at < 127)
        snprintf(found, sizeof found, "'%c'", *cursor->at);
    else if (cursor->at < cursor->end)
        snprintf(found, sizeof found, "'\\x%02x'", *cursor->at);
    return fail(error, STATUS_INVALID, "the header is damaged at its byte %td: %s expected, %s found",
                cursor->at - cursor->start, expected, found);
}

/* Takes `byte` when it comes next (after spaces). */
static bool take(struct cursor *cursor, char byte)
{
    skip_space(cursor);
    if (cursor->at == cursor->end || *cursor->at != (unsigned char)byte)
        return false;
    cursor->at++;
    return true;
}

static bool take_word(struct cursor *cursor, const char *word)
{
    size_t length = strlen(word);
    skip_space(cursor);
    if ((size_t)(cursor->end - cursor->at) < length || memcmp(cursor->at, word, length) != 0)
        return false;
    cursor->at += length;
    return true;
}

/* A quoted string of printable ASCII without escapes, as u'…' or r'…', too: neither our three keys nor a simple type
 * needs more. */
static enum status parse_string(struct cursor *cursor, const char *what, char *text, size_t size, struct error *error)
{
    skip_space(cursor);
    if (cursor->end - cursor->at > 1 && memchr("uUrR", *cursor->at, 4) && memchr("'\"", cursor->at[1], 2))
        cursor->at++;
    if (cursor->at == cursor->end || (*cursor->at != '\'' && *cursor->at != '"'))
        return damaged(cursor, what, error);
    unsigned char quote = *cursor->at++;
    size_t length = 0;
    for (; cursor->at < cursor->end && *cursor->at != quote; cursor->at++) {
        if (*cursor->at < ' ' || *cursor->at >= 127 || *cursor->at == '\\')
            return damaged(cursor, N_("a plain character"), error);
        if (length + 1 == size)
            return damaged(cursor, N_("the end of an overlong string"), error);
        text[length++] = (char)*cursor->at;
    }
    text[length] = '\0';
    if (cursor->at == cursor->end)
        return damaged(cursor, N_("the string's end"), error);
    cursor->at++;
    return STATUS_OK;
}

static enum status parse_descr(struct cursor *cursor, struct npy_layout *layout, struct error *error)
{
    char text[64];
    skip_space(cursor);
    if (cursor->at < cursor->end && *cursor->at == '[')
        return fail(error, STATUS_INVALID, "holds records (a structured type), not numbers; save one field at a time");
    if (cursor->at < cursor->end && *cursor->at == '(')
        return fail(error, STATUS_INVALID, "holds items that are arrays (a subarray type), not numbers");
    enum status status = parse_string(cursor, "descr's string", text, sizeof text, error);
    return status == STATUS_OK ? npy_type_parse(text, layout, error) : status;
}

static enum status parse_order(struct cursor *cursor, struct npy_layout *layout, struct error *error)
{
    if (take_word(cursor, "True"))
        layout->fortran = true;
    else if (take_word(cursor, "False"))
        layout->fortran = false;
    else
        return damaged(cursor, N_("True or False for fortran_order"), error);
    return STATUS_OK;
}

static bool is_digit(const struct cursor *cursor, ptrdiff_t ahead)
{
    return cursor->end - cursor->at > ahead && cursor->at[ahead] >= '0' && cursor->at[ahead] <= '9';
}

/* One axis: decimal digits, with underscores between them; Python 2 wrote an L behind some. */
static enum status parse_axis(struct cursor *cursor, size_t *axis, struct error *error)
{
    size_t value = 0;
    skip_space(cursor);
    if (cursor->at < cursor->end && *cursor->at == '-')
        return fail(error, STATUS_INVALID, "the header's shape has a negative axis");
    if (!is_digit(cursor, 0))
        return damaged(cursor, N_("an integer of the shape"), error);
    for (; is_digit(cursor, 0); cursor->at += is_digit(cursor, 2) && cursor->at[1] == '_' ? 2 : 1)
        if (!size_multiply(value, 10, &value) || !size_add(value, (size_t)(*cursor->at - '0'), &value))
            return fail(error, STATUS_INVALID, "the header's shape has an axis too long for any memory");
    if (cursor->at < cursor->end && *cursor->at == 'L')
        cursor->at++;
    *axis = value;
    return STATUS_OK;
}

/* A tuple: "()", "(3,)", "(3, 4)", with or without a last comma; "(3)" is an integer to Python, and refused. */
static enum status parse_shape(struct cursor *cursor, struct npy_layout *layout, struct error *error)
{
    bool comma = true;
    layout->rank = 0;
    if (!take(cursor, '('))
        return damaged(cursor, N_("'(' of the shape"), error);
    while (!take(cursor, ')')) {
        if (!comma)
            return damaged(cursor, N_("',' or ')' of the shape"), error);
        if (layout->rank == NPY_RANK_MAX)
            return fail(error, STATUS_INVALID, "the header's shape has more than %d axes", NPY_RANK_MAX);
        enum status status = parse_axis(cursor, &layout->shape[layout->rank], error);
        if (status != STATUS_OK)
            return status;
        layout->rank++;
        comma = take(cursor, ',');
    }
    if (layout->rank == 1 && !comma)
        return fail(error, STATUS_INVALID, "the header's shape is an integer, not a tuple: '(n,)' would be right");
    return STATUS_OK;
}

static const struct {
    const char *name;
    enum status (*parse)(struct cursor *cursor, struct npy_layout *layout, struct error *error);
} keys[] = {{"descr", parse_descr}, {"fortran_order", parse_order}, {"shape", parse_shape}};

/* One "key: value". `seen` has a bit per key. */
static enum status parse_entry(struct cursor *cursor, unsigned *seen, struct npy_layout *layout, struct error *error)
{
    char name[32];
    enum status status = parse_string(cursor, "a key's string", name, sizeof name, error);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < COUNT_OF(keys); i++) {
        if (strcmp(keys[i].name, name) != 0)
            continue;
        if (*seen & (1u << i))
            return fail(error, STATUS_INVALID, "the header has the key '%s' twice", name);
        *seen |= 1u << i;
        return take(cursor, ':') ? keys[i].parse(cursor, layout, error) : damaged(cursor, "':'", error);
    }
    return fail(error, STATUS_INVALID, "the header has an unknown key '%s' (descr, fortran_order and shape are known)",
                name);
}

enum status npy_header_parse(const char *text, size_t length, struct npy_layout *layout, struct error *error)
{
    const unsigned char *start = (const unsigned char *)text;
    struct cursor cursor = {.at = start, .end = start + length, .start = start};
    unsigned seen = 0;
    bool comma = true;
    *layout = (struct npy_layout){0};
    if (!take(&cursor, '{'))
        return damaged(&cursor, "'{'", error);
    while (!take(&cursor, '}')) {
        if (!comma)
            return damaged(&cursor, N_("',' or '}'"), error);
        enum status status = parse_entry(&cursor, &seen, layout, error);
        if (status != STATUS_OK)
            return status;
        comma = take(&cursor, ',');
    }
    skip_space(&cursor);
    if (cursor.at < cursor.end)
        return damaged(&cursor, N_("nothing after '}'"), error);
    for (size_t i = 0; i < COUNT_OF(keys); i++)
        if (!(seen & (1u << i)))
            return fail(error, STATUS_INVALID, "the header has no key '%s'", keys[i].name);
    return npy_layout_size(layout, error);
}

enum status npy_layout_size(struct npy_layout *layout, struct error *error)
{
    /* Axes of 0 do not excuse the others: NumPy could not make such an array either. */
    size_t bytes = layout->item_bytes;
    bool empty = false;
    for (int i = 0; i < layout->rank; i++) {
        empty |= layout->shape[i] == 0;
        if (layout->shape[i] != 0 && !size_multiply(bytes, layout->shape[i], &bytes))
            bytes = SIZE_MAX;
        if (bytes > PTRDIFF_MAX)
            return fail(error, STATUS_INVALID, "the header's shape is larger than any memory");
    }
    layout->bytes = empty ? 0 : bytes;
    layout->count = layout->bytes / layout->item_bytes;
    return STATUS_OK;
}

enum status npy_preamble_parse(const unsigned char *data, size_t available, struct npy_preamble *preamble,
                               struct error *error)
{
    static const unsigned char magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
    if (available == 0)
        return fail(error, STATUS_INVALID, "is empty; a .npy file was expected");
    if (available >= 4 && memcmp(data, "PK\3\4", 4) == 0)
        return fail(error, STATUS_INVALID, "is an .npz (or another zip) archive; unpack the .npy file you want first");
    if (memcmp(data, magic, available < sizeof magic ? available : sizeof magic) != 0)
        return fail(error, STATUS_INVALID, "is not a .npy file: it does not begin with \\x93NUMPY");
    if (available < 8)
        return fail(error, STATUS_INVALID, "ends after %zu bytes, within the .npy header", available);
    int major = data[6], minor = data[7];
    if (major < 1 || major > 3 || minor != 0)
        return fail(error, STATUS_INVALID, "has the unknown .npy version %d.%d (1.0, 2.0 and 3.0 are known)", major,
                    minor);
    size_t start = major == 1 ? 10 : 12;
    if (available < start)
        return fail(error, STATUS_INVALID, "ends after %zu bytes, within the .npy header", available);
    size_t bytes = (size_t)data[8] | (size_t)data[9] << 8;
    if (major > 1)
        bytes |= (size_t)data[10] << 16 | (size_t)data[11] << 24;
    if (bytes > NPY_HEADER_MAX)
        return fail(error, STATUS_INVALID, "claims a header of %zu bytes; more than %zu are not believed", bytes,
                    NPY_HEADER_MAX);
    *preamble = (struct npy_preamble){.major = major, .start = start, .bytes = bytes};
    return STATUS_OK;
}

size_t npy_header_write(const struct npy_layout *layout, char buffer[NPY_HEADER_WRITE_MAX])
{
    enum { PREAMBLE = 10, ALIGNMENT = 64, GROWTH_DIGITS = 21 };
    char *text = buffer + PREAMBLE;
    size_t room = NPY_HEADER_WRITE_MAX - PREAMBLE - ALIGNMENT;
    char order = layout->item_bytes == 1 ? '|' : layout->order;
    *text = '\0';
    text_append(text, room, "{'descr': '%c%c%zu', 'fortran_order': %s, 'shape': (", order, layout->kind,
                layout->item_bytes, layout->fortran ? "True" : "False");
    for (int i = 0; i < layout->rank; i++)
        text_append(text, room, "%s%zu%s", i > 0 ? " " : "", layout->shape[i],
                    i + 1 < layout->rank || layout->rank == 1 ? "," : "");
    text_append(text, room, "), }");
    /* NumPy leaves room for the axis that may grow when somebody appends: 21 digits in all. */
    if (layout->rank > 0) {
        size_t growing = layout->shape[layout->fortran ? layout->rank - 1 : 0];
        text_append(text, room, "%*s", GROWTH_DIGITS - snprintf(NULL, 0, "%zu", growing), "");
    }
    /* Spaces and a newline up to a multiple of 64; a full 64 spaces where it already was one, as NumPy has it. */
    size_t length = strlen(text) + 1;
    size_t padding = ALIGNMENT - (PREAMBLE + length) % ALIGNMENT;
    memset(text + length - 1, ' ', padding);
    length += padding;
    text[length - 1] = '\n';
    memcpy(buffer, "\x93NUMPY\x01\x00", 8);
    buffer[8] = (char)(length & 0xff);
    buffer[9] = (char)(length >> 8);
    return PREAMBLE + length;
}
