#include "explain/compiled/sass_lines.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *sass_words(const char *line, unsigned *offset)
{
    char *end;
    if (strncmp(line, "/*", 2) != 0 || !isxdigit((unsigned char)line[2]))
        return NULL;
    *offset = (unsigned)strtoul(line + 2, &end, 16);
    return strncmp(end, "*/", 2) == 0 ? end + 2 : NULL;
}
