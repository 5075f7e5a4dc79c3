#include "judge/user_header.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/line_directive.h"
#include "base/size.h"
#include "base/text.h"

/* The text after the key's colon; NULL without such a line. */
static const char *find_value(const char *text, const char *key)
{
    while (strncmp(text, "//", 2) == 0) {
        const char *p = text + 2 + strspn(text + 2, " \t"), *end = strchr(text, '\n');
        if (strncmp(p, key, strlen(key)) == 0)
            return p + strlen(key);
        text = end ? end + 1 : "";
    }
    return NULL;
}

bool user_header_exists(const char *text)
{
    /* "group: 3B" may be a student's */
    static const char *const keys[] = {"rung:", "args:", "groups:", "tune:", "require:"};
    for (size_t i = 0; i < COUNT_OF(keys); i++)
        if (find_value(text, keys[i]))
            return true;
    return false;
}

bool user_header_is_short(const char *text)
{
    const bool is_whole = find_value(text, "group:") && find_value(text, "groups:") && find_value(text, "args:");
    return user_header_exists(text) && !is_whole && !find_value(text, "rung:") && !find_value(text, "tune:");
}

bool user_header_name(const char *text, char name[RUNG_NAME_MAX])
{
    const char *value = find_value(text, "rung:");
    value += value ? strspn(value, " \t") : 0;
    snprintf(name, RUNG_NAME_MAX, "%.*s", value ? (int)strcspn(value, " \t\r\n") : 0, value ? value : "");
    return name[0] != '\0';
}

/* Appends those of the lines whose key the block lacks. */
static void add_missing(const char *block, const char *lines, char *head, size_t size)
{
    for (; *lines; lines += strcspn(lines, "\n") + 1) {
        char key[16];
        snprintf(key, sizeof key, "%.*s", (int)strcspn(lines + 3, ":") + 1, lines + 3);
        if (!find_value(block, key))
            text_append(head, size, "%.*s", (int)strcspn(lines, "\n") + 1, lines);
    }
}

bool user_header_complete(char **text, const char *lines, const char *path)
{
    bool has_rung = find_value(*text, "rung:"), has_idea = find_value(*text, "idea:");
    char head[1024] = "";
    if (has_rung && has_idea)
        return true;
    if (!has_rung)
        text_append(head, sizeof head, "// rung:    own\n"); /* the file's name may be anything */
    if (!has_idea)
        text_append(head, sizeof head, "// idea:    a user's own\n");
    if (!has_rung)
        add_missing(*text, lines, head, sizeof head);
    const char *end = *text;
    size_t line = 1;
    for (; strncmp(end, "//", 2) == 0 && strchr(end, '\n'); line++)
        end = strchr(end, '\n') + 1;
    char *mark = line_directive(line, path), *made = NULL;
    /* Behind the file's own lines: the first of them may be prose that looks like a key. */
    if (!mark || asprintf(&made, "%.*s%s%s%s", (int)(end - *text), *text, head, mark, end) < 0)
        made = NULL;
    free(mark);
    if (!made)
        return false;
    free(*text);
    *text = made;
    return true;
}
