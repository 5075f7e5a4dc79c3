#include "report/model/heading.h"

#include <stdio.h>
#include <string.h>

static const char *(*maker)(const char *problem, char *text, size_t size);

void headings_from(const char *(*make)(const char *problem, char *text, size_t size))
{
    maker = make;
}

const char *problem_title(const char *problem, char text[HEADING_BYTES])
{
    if (!maker || !maker(problem, text, HEADING_BYTES))
        snprintf(text, HEADING_BYTES, "%s", problem);
    return text;
}

const char *problem_title_of_kernel(const char *problem, const char *kernel, char text[HEADING_BYTES])
{
    size_t length = strlen(kernel);
    problem_title(problem, text);
    if (strncmp(text, kernel, length) == 0 && (text[length] == ' ' || text[length] == ':'))
        memmove(text, text + length + 1, strlen(text + length));
    return text;
}
