#include "explain/compiled/x86_lines.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"

static bool starts(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

const char *x86_line(const char *line, uint64_t *at)
{
    char *end;
    const char *start = line + strspn(line, " ");
    if (!isxdigit((unsigned char)*start))
        return NULL;
    *at = strtoull(start, &end, 16);
    return end[0] == ':' && end[1] == '\t' ? end + 2 : NULL;
}

bool x86_target(const char *words, uint64_t *target)
{
    static const char *const prefixes[] = {"bnd ", "notrack "};
    for (size_t i = 0; i < COUNT_OF(prefixes); i++)
        if (starts(words, prefixes[i]))
            words += strlen(prefixes[i]);
    if (words[0] != 'j' && !starts(words, "call") && !starts(words, "loop"))
        return false;
    const char *operand = words + strcspn(words, " \n");
    operand += strspn(operand, " ");
    char *end;
    *target = strtoull(operand, &end, 16);
    return end != operand && isxdigit((unsigned char)*operand);
}

bool x86_marked_address(const char *words, uint64_t *address)
{
    const char *mark = memmem(words, strcspn(words, "\n"), "# 0x", 4);
    if (mark)
        *address = strtoull(mark + 2, NULL, 16);
    return mark != NULL;
}
