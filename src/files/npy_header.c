#include "files/npy_header.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "base/text.h"
#include "base/translation.h"
#include "files/npy_type.h"

#define PARENTHESES_MOST 32

/* The unread rest of the header. */
struct cursor {
    const unsigned char *at, *end, *start;
};

/* White space, Python's comments up to the end of their line, and its line joins: a backslash before a line end. */
static void skip_space(struct cursor *cursor)
{
    bool is_comment = false;
    for (; cursor->at < cursor->end; cursor->at++) {
        const bool is_end = *cursor->at == '\n' || *cursor->at == '\r' || *cursor->at == '\0';
        const bool joins = *cursor->at == '\\' && cursor->end - cursor->at > 1 && memchr("\r\n", cursor->at[1], 2);
        is_comment = is_comment ? !is_end : *cursor->at == '#';
        if (!is_comment && !joins && !memchr(" \t\r\n\f", *cursor->at, 5))
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

/* Python may put any value into parentheses. */
static int open_parentheses(struct cursor *cursor)
{
    int count = 0;
    while (take(cursor, '('))
        count++;
    return count;
}

static enum status close_parentheses(struct cursor *cursor, int count, struct error *error)
{
    for (; count > 0; count--)
        if (!take(cursor, ')'))
            return damaged(cursor, "')'", error);
    return STATUS_OK;
}

/* The digits of an integer of that base, at most `most` of them; false where there is none, or too many for `value`. */
static bool read_digits(struct cursor *cursor, unsigned base, int most, size_t *value)
{
    static const char digits[] = "0123456789abcdef";
    int count = 0;
    *value = 0;
    for (; count < most && cursor->at < cursor->end; count++, cursor->at++) {
        const char *digit =
            memchr(digits, *cursor->at >= 'A' && *cursor->at <= 'F' ? *cursor->at + 32 : *cursor->at, base);
        if (!digit)
            break;
        if (!size_multiply(*value, base, value) || !size_add(*value, (size_t)(digit - digits), value))
            return false;
    }
    return count > 0;
}

/* What a backslash and the bytes behind it stand for; 0: nothing that is printable ASCII. */
static char read_escape(struct cursor *cursor)
{
    static const struct {
        char letter;
        int digits;
    } forms[] = {{'x', 2}, {'u', 4}, {'U', 8}};
    size_t value = 0;
    cursor->at++;
    if (cursor->at == cursor->end)
        return 0;
    for (size_t i = 0; i < COUNT_OF(forms); i++)
        if (*cursor->at == (unsigned char)forms[i].letter) {
            cursor->at++;
            return read_digits(cursor, 16, forms[i].digits, &value) && value >= ' ' && value < 127 ? (char)value : 0;
        }
    if (memchr("\\'\"", *cursor->at, 3))
        return (char)*cursor->at++;
    return read_digits(cursor, 8, 3, &value) && value >= ' ' && value < 127 ? (char)value : 0;
}

static bool starts_string(struct cursor *cursor, bool *is_raw)
{
    skip_space(cursor);
    const size_t left = (size_t)(cursor->end - cursor->at), prefix = left > 1 && memchr("uUrR", *cursor->at, 4) ? 1 : 0;
    *is_raw = prefix && memchr("rR", *cursor->at, 2);
    return left > prefix && memchr("'\"", cursor->at[prefix], 2);
}

static bool is_triple(const struct cursor *cursor, unsigned char quote)
{
    return cursor->end - cursor->at >= 3 && cursor->at[0] == quote && cursor->at[1] == quote && cursor->at[2] == quote;
}

/* One literal, appended to the text: u'…', r"…", '''…'''. Of printable ASCII: neither our three keys nor a simple type
 * needs more. */
static enum status parse_literal(struct cursor *cursor, bool is_raw, char *text, size_t size, struct error *error)
{
    cursor->at += *cursor->at != '\'' && *cursor->at != '"';
    const unsigned char quote = *cursor->at;
    const ptrdiff_t quotes = is_triple(cursor, quote) ? 3 : 1;
    size_t length = strlen(text);
    cursor->at += quotes;
    while (cursor->at < cursor->end && (quotes == 3 ? !is_triple(cursor, quote) : *cursor->at != quote)) {
        const unsigned char *from = cursor->at;
        const bool is_plain = *from >= ' ' && *from < 127 && *from != '\\';
        const char letter = is_plain ? (char)*cursor->at++ : *from == '\\' && !is_raw ? read_escape(cursor) : 0;
        if (!letter || length + 1 == size) {
            cursor->at = from;
            return damaged(cursor, letter ? N_("the end of an overlong string") : N_("a plain character"), error);
        }
        text[length++] = letter;
        text[length] = '\0';
    }
    if (cursor->at == cursor->end)
        return damaged(cursor, N_("the string's end"), error);
    cursor->at += quotes;
    return STATUS_OK;
}

/* Literals side by side are one string. */
static enum status parse_string(struct cursor *cursor, const char *what, char *text, size_t size, struct error *error)
{
    bool is_raw;
    enum status status = STATUS_OK;
    *text = '\0';
    if (!starts_string(cursor, &is_raw))
        return damaged(cursor, what, error);
    while (status == STATUS_OK && starts_string(cursor, &is_raw))
        status = parse_literal(cursor, is_raw, text, size, error);
    return status;
}

static enum status parse_descr(struct cursor *cursor, struct npy_layout *layout, struct error *error)
{
    char text[64];
    const int parentheses = open_parentheses(cursor);
    skip_space(cursor);
    if (cursor->at < cursor->end && *cursor->at == '[')
        return fail(error, STATUS_INVALID, "holds records (a structured type), not numbers; save one field at a time");
    enum status status = parse_string(cursor, "descr's string", text, sizeof text, error);
    if (status == STATUS_OK && parentheses && take(cursor, ','))
        return fail(error, STATUS_INVALID, "holds items that are arrays (a subarray type), not numbers");
    if (status == STATUS_OK)
        status = close_parentheses(cursor, parentheses, error);
    return status == STATUS_OK ? npy_type_parse(text, layout, error) : status;
}

static enum status parse_order(struct cursor *cursor, struct npy_layout *layout, struct error *error)
{
    const int parentheses = open_parentheses(cursor);
    layout->fortran = take_word(cursor, "True");
    if (!layout->fortran && !take_word(cursor, "False"))
        return damaged(cursor, N_("True or False for fortran_order"), error);
    return close_parentheses(cursor, parentheses, error);
}

/* The base of a number: 16 for "0x10", 8 and 2 alike, 10 without a prefix. Goes past the prefix. */
static unsigned take_base(struct cursor *cursor)
{
    static const struct {
        char letters[3];
        unsigned base;
    } forms[] = {{"xX", 16}, {"oO", 8}, {"bB", 2}};
    for (size_t i = 0; i < COUNT_OF(forms); i++)
        if (cursor->end - cursor->at > 2 && *cursor->at == '0' && memchr(forms[i].letters, cursor->at[1], 2)) {
            cursor->at += cursor->at[2] == '_' ? 3 : 2;
            return forms[i].base;
        }
    return 10;
}

/* One axis: an integer of any base, with underscores between its digits; Python 2 wrote an L behind some. */
static enum status parse_axis(struct cursor *cursor, size_t *axis, struct error *error)
{
    take(cursor, '+');
    skip_space(cursor);
    if (cursor->at < cursor->end && *cursor->at == '-')
        return fail(error, STATUS_INVALID, "the header's shape has a negative axis");
    const unsigned base = take_base(cursor);
    *axis = 0;
    for (bool more = true; more;) {
        size_t digit;
        if (!read_digits(cursor, base, 1, &digit))
            return damaged(cursor, N_("an integer of the shape"), error);
        if (!size_multiply(*axis, base, axis) || !size_add(*axis, digit, axis))
            return fail(error, STATUS_INVALID, "the header's shape has an axis too long for any memory");
        struct cursor next = *cursor;
        next.at += next.at < next.end && *next.at == '_';
        more = read_digits(&next, base, 1, &digit);
        cursor->at = more ? next.at - 1 : cursor->at;
    }
    if (cursor->at < cursor->end && *cursor->at == 'L')
        cursor->at++;
    return STATUS_OK;
}

static enum status parse_axes(struct cursor *cursor, struct npy_layout *layout, bool *is_tuple, int depth,
                              struct error *error);

/* An axis, or what stands in parentheses; only the outermost may be a tuple. */
static enum status parse_item(struct cursor *cursor, struct npy_layout *layout, bool *is_tuple, int depth,
                              struct error *error)
{
    *is_tuple = false;
    if (depth < PARENTHESES_MOST && take(cursor, '('))
        return parse_axes(cursor, layout, is_tuple, depth + 1, error);
    if (layout->rank == NPY_RANK_MAX)
        return fail(error, STATUS_INVALID, "the header's shape has more than %d axes", NPY_RANK_MAX);
    enum status status = parse_axis(cursor, &layout->shape[layout->rank], error);
    layout->rank += status == STATUS_OK;
    return status;
}

/* Behind a '(': "3,)", "3, 4)" with or without a last comma, ")"; "3)" is an integer to Python, "(3,))" a tuple. */
static enum status parse_axes(struct cursor *cursor, struct npy_layout *layout, bool *is_tuple, int depth,
                              struct error *error)
{
    bool comma = true, is_first = true;
    while (!take(cursor, ')')) {
        bool is_inner = false;
        if (!comma)
            return damaged(cursor, N_("',' or ')' of the shape"), error);
        enum status status = parse_item(cursor, layout, &is_inner, depth, error);
        if (status != STATUS_OK)
            return status;
        comma = take(cursor, ',');
        if (is_inner && (comma || !is_first))
            return damaged(cursor, N_("an integer of the shape"), error);
        *is_tuple = is_inner || comma || !is_first;
        is_first = false;
    }
    *is_tuple = *is_tuple || is_first;
    return STATUS_OK;
}

static enum status parse_shape(struct cursor *cursor, struct npy_layout *layout, struct error *error)
{
    bool is_tuple = false;
    layout->rank = 0;
    if (!take(cursor, '('))
        return damaged(cursor, N_("'(' of the shape"), error);
    enum status status = parse_axes(cursor, layout, &is_tuple, 0, error);
    if (status == STATUS_OK && !is_tuple)
        return fail(error, STATUS_INVALID, "the header's shape is an integer, not a tuple: '(n,)' would be right");
    return status;
}

static const struct {
    const char *name;
    enum status (*parse)(struct cursor *cursor, struct npy_layout *layout, struct error *error);
} keys[] = {{"descr", parse_descr}, {"fortran_order", parse_order}, {"shape", parse_shape}};

/* One "key: value". `seen` has a bit per key. */
static enum status parse_entry(struct cursor *cursor, unsigned *seen, struct npy_layout *layout, struct error *error)
{
    char name[32];
    const int parentheses = open_parentheses(cursor);
    enum status status = parse_string(cursor, "a key's string", name, sizeof name, error);
    if (status == STATUS_OK)
        status = close_parentheses(cursor, parentheses, error);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < COUNT_OF(keys); i++) {
        if (strcmp(keys[i].name, name) != 0)
            continue;
        *seen |= 1u << i; /* of a key that stands twice the last value counts */
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
    const int parentheses = open_parentheses(&cursor);
    *layout = (struct npy_layout){0};
    if (!take(&cursor, '{'))
        return damaged(&cursor, "'{'", error);
    while (!take(&cursor, '}')) {
        if (!comma)
            return damaged(&cursor, N_("',' or '}'"), error);
        const enum status entry = parse_entry(&cursor, &seen, layout, error);
        if (entry != STATUS_OK)
            return entry;
        comma = take(&cursor, ',');
    }
    enum status status = close_parentheses(&cursor, parentheses, error);
    skip_space(&cursor);
    if (status != STATUS_OK)
        return status;
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
