#include "report/columns.h"

#include <time.h>

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

static void print_cut(FILE *stream, const char *text, int width)
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
    print_cut(stream, text, width);
    fprintf(stream, "%*s", letters < width ? width - letters : 0, "");
}

void column_right(FILE *stream, const char *text, int width)
{
    int letters = column_width(text);
    fprintf(stream, "%*s", letters < width ? width - letters : 0, "");
    print_cut(stream, text, width);
}

const char *text_moment(int64_t seconds, char *text, size_t size)
{
    time_t moment = (time_t)seconds;
    struct tm parts;
    if (!localtime_r(&moment, &parts) || strftime(text, size, "%Y-%m-%d %H:%M", &parts) == 0)
        snprintf(text, size, "?");
    return text;
}
