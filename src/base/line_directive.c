#include "base/line_directive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/visible.h"

char *line_directive(size_t line, const char *path)
{
    const size_t size = 4 * strlen(path) + 1;
    char *shown = malloc(size), *made = malloc(2 * size + 40), *to = made;
    if (shown && made) {
        visible_copy(path, shown, size); /* compilers refuse what is not UTF-8 */
        to += sprintf(to, "#line %zu \"", line);
        for (const char *letter = shown; *letter; letter++)
            to += sprintf(to, "%s%c", *letter == '"' || *letter == '\\' ? "\\" : "", *letter);
        strcpy(to, "\"\n");
    }
    free(shown);
    return shown ? made : (free(made), NULL);
}
