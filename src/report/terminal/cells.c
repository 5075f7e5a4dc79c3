#include "report/terminal/cells.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/language.h"
#include "base/text.h"

#define WORD_MOST 256
#define NOTE_INDENT 2

static int starts_letter(char byte)
{
    return ((unsigned char)byte & 0xC0) != 0x80;
}

int column_width(const char *text)
{
    int width = 0;
    for (; *text; text++)
        width += starts_letter(*text);
    return width;
}

/* The first `width` letters. */
static void print_letters(FILE *stream, const char *text, int width)
{
    for (; *text; text++) {
        width -= starts_letter(*text);
        if (width < 0)
            return;
        fputc(*text, stream);
    }
}

void column_cut(FILE *stream, const char *text, int width)
{
    if (column_width(text) <= width) {
        fputs(text, stream);
        return;
    }
    print_letters(stream, text, width - 1);
    fputs("…", stream);
}

void column_left(FILE *stream, const char *text, int width)
{
    int letters = column_width(text);
    column_cut(stream, text, width);
    fprintf(stream, "%*s", letters < width ? width - letters : 0, "");
}

void column_right(FILE *stream, const char *text, int width)
{
    int letters = column_width(text);
    fprintf(stream, "%*s", letters < width ? width - letters : 0, "");
    column_cut(stream, text, width);
}

void columns_print(FILE *stream, const char *layout, ...)
{
    va_list arguments;
    va_start(arguments, layout);
    for (const char *at = layout; *at; at++) {
        const bool is_left = *at == '<', is_given = (is_left || *at == '>') && at[1] == '*';
        if (*at == '%') {
            fputs(va_arg(arguments, const char *), stream);
        } else if (is_left || *at == '>') {
            const int width = is_given ? va_arg(arguments, int) : atoi(at + 1);
            (is_left ? column_left : column_right)(stream, va_arg(arguments, const char *), width);
            at += is_given ? 1 : strspn(at + 1, "0123456789");
        } else {
            fputc(*at, stream);
        }
    }
    va_end(arguments);
}

void column_number(FILE *stream, const char *format, double value)
{
    char text[64];
    snprintf(text, sizeof text, format, value);
    fputs(say_number(text), stream);
}

void column_time(FILE *stream, double nanoseconds, int width)
{
    char text[64];
    if (nanoseconds > 0)
        text_duration(nanoseconds, text, sizeof text);
    column_right(stream, nanoseconds > 0 ? say_quantity(text, sizeof text) : "—", width);
}

void columns_wrapped(FILE *stream, const char *text, int column, int indent, int width)
{
    bool is_first = true; /* of its line */
    while (*text) {
        char word[WORD_MOST];
        size_t length = strcspn(text, " \n");
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        int letters = column_width(word);
        if (!is_first && column + 1 + letters > width) {
            fprintf(stream, "\n%*s", indent, "");
            column = indent;
        } else if (!is_first) {
            fputc(' ', stream);
            column++;
        }
        is_first = false;
        fputs(word, stream);
        column += letters;
        text += length + strspn(text + length, " \n");
    }
    fputc('\n', stream);
}

void columns_note(FILE *stream, struct style style, const char *format, ...)
{
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stream, "%s%*s", faint(style), NOTE_INDENT, "");
    columns_wrapped(stream, text + strspn(text, " \n"), NOTE_INDENT, NOTE_INDENT, style.width);
    fputs(plain(style), stream);
}

const char *text_moment(int64_t seconds, char *text, size_t size)
{
    time_t moment = (time_t)seconds;
    struct tm parts;
    if (!localtime_r(&moment, &parts) || strftime(text, size, "%Y-%m-%d %H:%M", &parts) == 0)
        snprintf(text, size, "?");
    return text;
}
