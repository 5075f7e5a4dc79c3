#include "judge/user_header.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"

/* The text after the key's colon; NULL without such a line. */
static const char *find_value(const char *text, const char *key)
{
    for (; text && strncmp(text, "//", 2) == 0; text = strchr(text, '\n'), text += text != NULL) {
        const char *p = text + 2 + strspn(text + 2, " \t");
        if (strncmp(p, key, strlen(key)) == 0)
            return p + strlen(key);
    }
    return NULL;
}

bool user_header_exists(const char *text)
{
    static const char *const keys[] = {"rung:", "args:", "groups:", "tune:"}; /* "group: 3B" may be a student's */
    for (size_t i = 0; i < COUNT_OF(keys); i++)
        if (find_value(text, keys[i]))
            return true;
    return false;
}

bool user_header_name(const char *text, char name[RUNG_NAME_MAX])
{
    const char *value = find_value(text, "rung:");
    value += value ? strspn(value, " \t") : 0;
    snprintf(name, RUNG_NAME_MAX, "%.*s", value ? (int)strcspn(value, " \t\r\n") : 0, value ? value : "");
    return name[0] != '\0';
}

bool user_header_complete(char **text, const char *name, const char *path)
{
    bool has_rung = find_value(*text, "rung:"), has_idea = find_value(*text, "idea:");
    if (has_rung && has_idea)
        return true;
    const char *end = *text;
    size_t line = 1;
    for (; strncmp(end, "//", 2) == 0 && strchr(end, '\n'); line++)
        end = strchr(end, '\n') + 1;
    size_t size = strlen(*text) + strlen(name) + strlen(path) + 96;
    char *made = malloc(size);
    if (!made)
        return false;
    snprintf(made, size, "%s%s%s%s%.*s#line %zu \"%s\"\n%s", has_rung ? "" : "// rung:    ", has_rung ? "" : name,
             has_rung ? "" : "\n", has_idea ? "" : "// idea:    a user's own\n", (int)(end - *text), *text, line, path,
             end);
    free(*text);
    *text = made;
    return true;
}
