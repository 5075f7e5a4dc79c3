#include "report/html/html.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/visible.h"

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
        uint32_t letter;
        size_t bytes = visible_letter(at, &letter);
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

/* "%.12s": so many letters of a short text. */
static void text_of(FILE *stream, const char *form, const char *text)
{
    char part[128];
    if (form[1] != 's')
        snprintf(part, sizeof part, form, text);
    html_text(stream, form[1] == 's' ? text : part);
}

/* One conversion, whose text is `form`, ended by `letter`; a size's is 'z'. */
static void convert(FILE *stream, const char *form, char letter, va_list *arguments)
{
    switch (letter) {
    case 's':
        text_of(stream, form, va_arg(*arguments, const char *));
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
