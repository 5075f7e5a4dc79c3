#include "report/terminal/folded.h"

#include <stdlib.h>
#include <string.h>

#define LINE_BYTES 8192
#define INDENT_MORE 4 /* of the lines that go on */

struct folded {
    FILE *stream;
    int width;
    size_t length;
    char line[LINE_BYTES];
};

/* Bytes of the escape that begins at `text`; 0 when none does. */
static size_t escape_bytes(const char *text)
{
    return *text == '\033' ? strcspn(text, "m") + 1 : 0;
}

/* Columns of the first `length` bytes, as a terminal shows them. */
static int columns_of(const char *text, size_t length)
{
    int columns = 0;
    for (const char *at = text; at < text + length;) {
        size_t escape = escape_bytes(at);
        columns += !escape && ((unsigned char)*at & 0xC0) != 0x80;
        at += escape ? escape : 1;
    }
    return columns;
}

/* Where the lines that go on begin: below the last word that follows two spaces in the line's first third, else a
 * little further in than the line itself. */
static int hang_of(const char *line, int width)
{
    int column = 0, hang = (int)strspn(line, " ") + INDENT_MORE;
    int spaces = 0;
    bool has_word = false;
    for (const char *at = line; *at && column <= width / 3;) {
        size_t escape = escape_bytes(at);
        bool begins_letter = !escape && ((unsigned char)*at & 0xC0) != 0x80;
        if (begins_letter && *at != ' ') {
            if (has_word && spaces >= 2)
                hang = column;
            has_word = true;
        }
        if (begins_letter) {
            spaces = *at == ' ' ? spaces + 1 : 0;
            column++;
        }
        at += escape ? escape : 1;
    }
    return hang;
}

/* How many bytes of the text fit into `width` columns: up to the last space, else behind the last '/' or ',', else up
 * to the first space. At least one byte. */
static size_t bytes_that_fit(const char *text, int width)
{
    int column = 0;
    size_t at = 0, space = 0, mark = 0;
    const size_t begin = strspn(text, " ");
    while (text[at]) {
        size_t escape = escape_bytes(text + at);
        if (!escape && ((unsigned char)text[at] & 0xC0) != 0x80 && ++column > width) {
            if (text[at] == ' ' && at > begin)
                return at;
            break;
        }
        if (text[at] == ' ' && at > begin)
            space = at;
        else if (at > begin && strchr("/,", text[at]))
            mark = at + 1;
        at += escape ? escape : 1;
    }
    if (!text[at])
        return at;
    if (space || mark)
        return space ? space : mark;
    return at + strcspn(text + at, " ");
}

static void put_folded(FILE *stream, const char *line, int width)
{
    int hang = hang_of(line, width), column = 0;
    for (;;) {
        size_t length =
            columns_of(line, strlen(line)) + column <= width ? strlen(line) : bytes_that_fit(line, width - column);
        fprintf(stream, "%.*s\n", (int)length, line);
        line += length;
        line += strspn(line, " ");
        if (!*line)
            return;
        if (*line == '\033' && columns_of(line, strlen(line)) == 0) { /* the end of a colour alone is not a line */
            fputs(line, stream);
            return;
        }
        fprintf(stream, "%*s", hang, "");
        column = hang;
    }
}

static void put_line(struct folded *folded)
{
    folded->line[folded->length] = 0;
    if (columns_of(folded->line, folded->length) <= folded->width)
        fprintf(folded->stream, "%s\n", folded->line);
    else
        put_folded(folded->stream, folded->line, folded->width);
    folded->length = 0;
}

static ssize_t take(void *cookie, const char *text, size_t size)
{
    struct folded *folded = cookie;
    for (size_t i = 0; i < size; i++)
        if (text[i] == '\n')
            put_line(folded);
        else if (folded->length + 1 < LINE_BYTES)
            folded->line[folded->length++] = text[i];
    return ferror(folded->stream) ? 0 : (ssize_t)size;
}

static int end(void *cookie)
{
    struct folded *folded = cookie;
    folded->line[folded->length] = 0;
    fputs(folded->line, folded->stream);
    free(folded);
    return 0;
}

FILE *folded_begin(FILE *stream, struct style style)
{
    struct folded *folded = style.folds ? calloc(1, sizeof *folded) : NULL;
    if (!folded)
        return stream;
    folded->stream = stream;
    folded->width = style.width;
    FILE *begun = fopencookie(folded, "w", (cookie_io_functions_t){.write = take, .close = end});
    if (!begun)
        free(folded);
    return begun ? begun : stream;
}

void folded_end(FILE *folded, FILE *stream)
{
    if (folded != stream)
        fclose(folded);
}
