#include "base/message.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/language.h"
#include "base/size.h"

#define CAPTURES_MOST 16
#define STEPS_MOST 20000 /* of trying one format */
#define DEPTH_MOST 4     /* messages in messages */
#define TEXT_MOST 2048
#define TEXTS_KEPT 4

static const struct {
    const char *english, *russian;
} messages[] = {
#define MESSAGE(english, russian) {english, russian},
#include "base/messages.def"
#undef MESSAGE
};

/* A piece of the text that stands for a conversion. */
struct capture {
    const char *at;
    size_t length;
    bool is_number;
};

/* The text being held against a format. */
struct attempt {
    const char *end; /* of the text */
    struct capture captures[CAPTURES_MOST];
    size_t count;
    unsigned steps;
    size_t own_letters; /* of the format that was taken */
};

/* The text being made; it is cut where it does not fit. */
struct told {
    char *text;
    size_t size, length;
};

/* ---- knowing a message by its format ---- */

/* Bytes of the conversion that begins here with a '%', and whether it makes a number. */
static size_t conversion(const char *format, bool *is_number)
{
    size_t length = 1 + strspn(format + 1, "0123456789$+-#.*hlzjt");
    *is_number = !strchr("sc", format[length]);
    return format[length] ? length + 1 : length;
}

static size_t longest_number(const char *text, const char *end)
{
    size_t length = strspn(text, "0123456789+-.einfa");
    return length < (size_t)(end - text) ? length : (size_t)(end - text);
}

static bool match(const char *format, const char *text, struct attempt *attempt);

/* A number is taken as long as it goes, any other text as short as it goes. */
static bool match_conversion(const char *format, const char *text, struct attempt *attempt)
{
    bool is_number;
    size_t bytes = conversion(format, &is_number), index = attempt->count;
    if (index == CAPTURES_MOST)
        return false;
    size_t longest = is_number ? longest_number(text, attempt->end) : (size_t)(attempt->end - text);
    for (size_t i = 0; i <= longest; i++) {
        size_t length = is_number ? longest - i : i;
        if (is_number && length == 0)
            return false;
        attempt->captures[index] = (struct capture){text, length, is_number};
        attempt->count = index + 1;
        if (match(format + bytes, text + length, attempt))
            return true;
    }
    return false;
}

static bool match(const char *format, const char *text, struct attempt *attempt)
{
    for (; *format; format++, text++) {
        if (*format == '%' && format[1] != '%')
            return ++attempt->steps < STEPS_MOST && match_conversion(format, text, attempt);
        format += *format == '%';
        if (text >= attempt->end || *format != *text)
            return false;
    }
    return text == attempt->end;
}

/* How much of a format is its own words. */
static size_t own_letters(const char *format)
{
    size_t letters = 0;
    bool is_number;
    while (*format) {
        bool converts = *format == '%' && format[1] != '%';
        letters += !converts;
        format += converts ? conversion(format, &is_number) : 1;
    }
    return letters;
}

/* The format that says most of the text itself; NULL when none makes it. */
static const char *recognise(const char *text, size_t length, struct attempt *best)
{
    const char *russian = NULL;
    size_t most = 0;
    for (size_t i = 0; i < COUNT_OF(messages); i++) {
        struct attempt attempt = {.end = text + length};
        size_t letters = own_letters(messages[i].english);
        if (letters <= most || letters > length || !match(messages[i].english, text, &attempt))
            continue;
        *best = attempt;
        best->own_letters = most = letters;
        russian = messages[i].russian;
    }
    return russian;
}

/* ---- telling it ---- */

static void append(struct told *told, const char *text, size_t length)
{
    size_t room = told->size - 1 - told->length;
    length = length < room ? length : room;
    memcpy(told->text + told->length, text, length);
    told->length += length;
    told->text[told->length] = 0;
}

static bool tell_part(struct told *told, const char *text, size_t length, int depth);

/* "12.3", or "1.5 GiB" with a unit of ours. */
static bool is_quantity(const struct capture *capture, const char *text)
{
    const char *space = strchr(text, ' ');
    return capture->is_number || (isdigit((unsigned char)*text) && space && say_unit(space + 1) != space + 1);
}

static void tell_capture(struct told *told, const struct capture *capture, int depth)
{
    char text[64] = "";
    if (capture->length + 8 < sizeof text) /* room for a unit's other name */
        snprintf(text, sizeof text, "%.*s", (int)capture->length, capture->at);
    if (is_quantity(capture, text)) {
        say_quantity(text, sizeof text);
        append(told, text, strlen(text));
    } else if (!tell_part(told, capture->at, capture->length, depth + 1)) {
        append(told, capture->at, capture->length);
    }
}

static void tell_by(struct told *told, const char *format, const struct attempt *attempt, int depth)
{
    size_t next = 0;
    while (*format) {
        bool is_number;
        if (*format != '%') {
            append(told, format++, 1);
        } else if (format[1] == '%') {
            append(told, "%", 1);
            format += 2;
        } else {
            bool is_left_out = strncmp(format, "%.0s", 4) == 0;
            if (next < attempt->count && !is_left_out)
                tell_capture(told, &attempt->captures[next], depth);
            next++;
            format += conversion(format, &is_number);
        }
    }
}

/* A whole sentence; single words may be names of files. */
static const char *sentence(const char *text, size_t length)
{
    char copy[512];
    if (length >= sizeof copy || !memchr(text, ' ', length))
        return NULL;
    memcpy(copy, text, length);
    copy[length] = 0;
    const char *said = say_sentence(copy);
    return said == copy ? NULL : said;
}

/* Tells a text that is one sentence or of one format. */
static bool tell_whole(struct told *told, const char *text, size_t length, int depth)
{
    struct attempt attempt;
    const char *whole = sentence(text, length), *format = whole ? NULL : recognise(text, length, &attempt);
    if (whole)
        append(told, whole, strlen(whole));
    else if (format)
        tell_by(told, format, &attempt, depth);
    return whole || format;
}

/* "what: why", where one of the two is known. */
static bool tell_after_colon(struct told *told, const char *text, size_t length, int depth)
{
    size_t before = told->length;
    for (size_t i = 1; i + 2 < length; i++) {
        if (text[i] != ':' || text[i + 1] != ' ')
            continue;
        bool is_known = tell_whole(told, text, i, depth);
        if (!is_known)
            append(told, text, i);
        append(told, ": ", 2);
        if (tell_part(told, text + i + 2, length - i - 2, depth + 1))
            return true;
        if (is_known) {
            append(told, text + i + 2, length - i - 2);
            return true;
        }
        told->length = before;
        told->text[before] = 0;
    }
    return false;
}

/* "theirs: no memory for the store": what is behind the first colon is a message of its own, not a gap of
 * "%s: no memory for %s". */
static bool says_more_after_colon(const char *text, size_t length)
{
    struct attempt whole = {0}, rest = {0};
    const char *colon = memmem(text, length, ": ", 2);
    if (!colon)
        return false;
    recognise(text, length, &whole);
    return recognise(colon + 2, length - (size_t)(colon + 2 - text), &rest) && rest.own_letters > whole.own_letters;
}

/* Tells a text that is known; leaves everything as it is when it is not. */
static bool tell_part(struct told *told, const char *text, size_t length, int depth)
{
    if (depth > DEPTH_MOST || length == 0)
        return false;
    if (says_more_after_colon(text, length) && tell_after_colon(told, text, length, depth))
        return true;
    return tell_whole(told, text, length, depth) || tell_after_colon(told, text, length, depth);
}

const char *say_message(const char *message)
{
    static _Thread_local char texts[TEXTS_KEPT][TEXT_MOST];
    static _Thread_local unsigned next;
    if (language_now() == LANGUAGE_ENGLISH)
        return message;
    struct told told = {texts[next++ % TEXTS_KEPT], TEXT_MOST, 0};
    told.text[0] = 0;
    return tell_part(&told, message, strlen(message), 0) ? told.text : message;
}

/* ---- for tests ---- */

/* A format with each conversion as %d or %s. */
static void plain(const char *format, char *text, size_t size)
{
    size_t length = 0;
    while (*format && length + 3 < size) {
        bool is_number, converts = *format == '%' && format[1] != '%';
        if (!converts) {
            text[length++] = *format++;
            continue;
        }
        format += conversion(format, &is_number);
        text[length++] = '%';
        text[length++] = is_number ? 'd' : 's';
    }
    text[length] = 0;
}

bool message_is_known(const char *format)
{
    char sought[1024], other[1024];
    plain(format, sought, sizeof sought);
    for (size_t i = 0; i < COUNT_OF(messages); i++) {
        plain(messages[i].english, other, sizeof other);
        if (strcmp(sought, other) == 0)
            return true;
    }
    return false;
}

bool message_formats(size_t index, const char **english, const char **russian)
{
    if (index >= COUNT_OF(messages))
        return false;
    *english = messages[index].english;
    *russian = messages[index].russian;
    return true;
}
