#include "backends/opencl/build_log.h"

#include <stdbool.h>
#include <string.h>

#include "base/text.h"

#define LINES_MAX 3

/* "2 errors generated." tells nothing. */
static bool speaks_of_error(const char *line, size_t length)
{
    static const char word[] = "error", sum[] = "generated.";
    if (length >= sizeof sum && strncmp(line + length - (sizeof sum - 1), sum, sizeof sum - 1) == 0)
        return false;
    for (size_t i = 0; i + sizeof word - 1 <= length; i++)
        if (strncasecmp(line + i, word, sizeof word - 1) == 0)
            return true;
    return false;
}

static int join_lines(const char *log, bool errors_only, char *text, size_t size)
{
    int lines = 0;
    for (const char *line = log; *line && lines < LINES_MAX; line += strspn(line, "\r\n")) {
        line += strspn(line, " \t");
        size_t length = strcspn(line, "\r\n");
        if (length > 0 && (!errors_only || speaks_of_error(line, length)))
            text_append(text, size, "%s%.*s", lines++ ? "; " : "", (int)length, line);
        line += length;
    }
    return lines;
}

void build_log_errors(const char *log, char *text, size_t size)
{
    text[0] = 0;
    if (join_lines(log, true, text, size) == 0)
        join_lines(log, false, text, size);
}
