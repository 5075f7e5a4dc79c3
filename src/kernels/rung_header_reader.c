#include "kernels/rung_header_reader.h"

#include <string.h>

#include "kernels/scope.h"

char *source_trim(char *text)
{
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        text[--length] = '\0';
    return text;
}

/* The first `separator` outside parentheses, or the end. */
static char *find_outside(char *text, char separator)
{
    int depth = 0;
    for (; *text; text++) {
        if (*text == separator && depth == 0)
            break;
        depth += (*text == '(') - (*text == ')');
    }
    return text;
}

char *source_cut(char **rest, char separator)
{
    if (!*rest)
        return NULL;
    char *piece = *rest, *end = find_outside(piece, separator);
    *rest = *end ? end + 1 : NULL;
    *end = '\0';
    return source_trim(piece);
}

bool source_is_identifier(const char *text)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
    return text[0] != '\0' && strchr(letters, text[0]) &&
           strspn(text + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789") == strlen(text + 1);
}

enum status source_copy(struct reader *reader, const char *what, const char *text, char *target, size_t size)
{
    if (strlen(text) >= size)
        return REFUSE(reader, "%s is %zu bytes long; at most %zu are taken", what, strlen(text), size - 1);
    memcpy(target, text, strlen(text) + 1);
    return STATUS_OK;
}

enum status source_copy_expression(struct reader *reader, const char *what, const char *text,
                                   char target[SOURCE_EXPRESSION_MAX])
{
    struct scope scope = {.problem = &reader->example,
                          .rung = &reader->made->rung,
                          .parameters = &reader->no_parameters,
                          .device = reader->device};
    if (text[0] == '\0')
        return REFUSE(reader, "%s is empty", what);
    if (scope_check(&scope, text, reader->error) != STATUS_OK)
        return fail_in(reader->error, STATUS_INVALID, "%s:%d", reader->path, reader->line);
    return source_copy(reader, what, text, target, SOURCE_EXPRESSION_MAX);
}
