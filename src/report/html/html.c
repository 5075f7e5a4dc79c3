#include "report/html/html.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Forms of UTF-8 that no document may hold: too long, surrogates, beyond the last letter. */
static bool is_forbidden(unsigned char first, unsigned char second)
{
    return (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) || (first == 0xF0 && second < 0x90) ||
           (first == 0xF4 && second > 0x8F);
}

/* The bytes of the letter at `text`; 0 when there is none. */
static size_t letter_bytes(const unsigned char *text)
{
    unsigned char first = text[0];
    if (first < 0x80)
        return 1;
    size_t count = first >= 0xC2 && first < 0xE0   ? 2
                   : (first & 0xF0) == 0xE0        ? 3
                   : first >= 0xF0 && first < 0xF5 ? 4
                                                   : 0;
    for (size_t i = 1; i < count; i++)
        if ((text[i] & 0xC0) != 0x80)
            return 0;
    return is_forbidden(first, text[1]) ? 0 : count;
}

/* The replacement of one ASCII character; NULL: itself. */
static const char *entity(unsigned char letter)
{
    switch (letter) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return (letter < ' ' && letter != '\n' && letter != '\t') || letter == 127 ? "\xEF\xBF\xBD" : NULL;
    }
}

void html_text(FILE *stream, const char *text)
{
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        size_t bytes = letter_bytes(at);
        const char *instead = !bytes ? "\xEF\xBF\xBD" : bytes == 1 ? entity(*at) : NULL;
        if (instead)
            fputs(instead, stream);
        else
            (void)fwrite(at, 1, bytes, stream);
        at += bytes ? bytes : 1;
    }
}

/* A coordinate or a figure, from whatever numbers a store holds: always short, and never a word. */
static void number(FILE *stream, const char *form, double value)
{
    if (!isfinite(value))
        fputc('0', stream);
    else if (fabs(value) < 1e15)
        fprintf(stream, form, value);
    else
        fprintf(stream, "%.3g", value);
}

/* One conversion, whose text is `form`, ended by `letter`; a size's is 'z'. */
static void convert(FILE *stream, const char *form, char letter, va_list *arguments)
{
    switch (letter) {
    case 's':
        html_text(stream, va_arg(*arguments, const char *));
        break;
    /* NOLINTNEXTLINE(bugprone-branch-clone): these branches differ in the type that va_arg takes */
    case 'd':
    case 'c':
        fprintf(stream, form, va_arg(*arguments, int));
        break;
    case 'u':
        fprintf(stream, form, va_arg(*arguments, unsigned));
        break;
    case 'z':
        fprintf(stream, form, va_arg(*arguments, size_t));
        break;
    case 'f':
    case 'g':
        number(stream, form, va_arg(*arguments, double));
        break;
    default: /* %% */
        fputc(letter, stream);
    }
}

void html(FILE *stream, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    for (const char *at = format; *at; at++) {
        if (*at != '%') {
            fputc(*at, stream);
            continue;
        }
        char form[16] = "%";
        size_t length = 1;
        bool is_size = false;
        for (at++; *at && !strchr("sducfg%", *at); at++) {
            is_size = is_size || *at == 'z';
            if (length < sizeof form - 2)
                form[length++] = *at;
        }
        form[length] = *at;
        convert(stream, form, is_size ? 'z' : *at, &arguments);
    }
    va_end(arguments);
}
