#include "backends/opencl/build_log.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define LINES_MAX 3

/* One line of the log, without its end. */
struct line {
    const char *text;
    size_t length;
};

static bool contains(struct line line, const char *word)
{
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= line.length; i++)
        if (strncasecmp(line.text + i, word, length) == 0)
            return true;
    return false;
}

/* "2 errors generated." is not a cause. */
static bool speaks_of_error(struct line line)
{
    return contains(line, "error") && !contains(line, "generated.");
}

/* Finds "place:12:" in a line: where the place begins, where the number ends, and the number. */
static bool find_place(struct line line, size_t *from, size_t *to, long *number)
{
    *from = 0;
    for (size_t i = 0; i + 2 < line.length; i++) {
        if (line.text[i] == ' ')
            *from = i + 1;
        if (line.text[i] != ':' || !isdigit((unsigned char)line.text[i + 1]))
            continue;
        char *end;
        *number = strtol(line.text + i + 1, &end, 10);
        *to = (size_t)(end - line.text);
        if (*to < line.length && *end == ':')
            return true;
    }
    return false;
}

static void append_line(struct line line, const char *name, long lines_before, char *text, size_t size)
{
    size_t from, to;
    long number;
    if (!contains(line, name) && find_place(line, &from, &to, &number) && number > lines_before)
        text_append(text, size, "%.*s%s:%ld%.*s", (int)from, line.text, name, number - lines_before,
                    (int)(line.length - to), line.text + to);
    else
        text_append(text, size, "%.*s", (int)line.length, line.text);
}

static int join_lines(const char *log, bool errors_only, const char *name, long lines_before, char *text, size_t size)
{
    int lines = 0;
    while (*log && lines < LINES_MAX) {
        log += strspn(log, " \t\r\n");
        struct line line = {log, strcspn(log, "\r\n")};
        log += line.length;
        if (line.length == 0 || (errors_only && !speaks_of_error(line)))
            continue;
        text_append(text, size, "%s", lines++ ? "; " : "");
        append_line(line, name, lines_before, text, size);
    }
    return lines;
}

void build_log_errors(const char *log, const char *name, long lines_before, char *text, size_t size)
{
    text[0] = 0;
    if (join_lines(log, true, name, lines_before, text, size) == 0)
        join_lines(log, false, name, lines_before, text, size);
}
