#include "base/status.h"

#include <stdarg.h>
#include <string.h>

#include "base/message.h"
#include "base/visible.h"

/* Undo the macros that the header defines for the analyzer. */
#undef fail
#undef fail_in

#define TEXT_MOST 2048

const char *explain(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    explain_from(text, size, format, arguments);
    va_end(arguments);
    return text;
}

const char *explain_more(char *text, size_t size, const char *format, ...)
{
    char more[TEXT_MOST];
    va_list arguments;
    va_start(arguments, format);
    explain_from(more, sizeof more, format, arguments);
    va_end(arguments);
    return explain(text, size, "%s%s", text, more);
}

/* Control characters become escapes; the record of how the message was made keeps the original text. */
static void make_visible(struct error *error)
{
    char raw[sizeof error->text];
    memcpy(raw, error->text, sizeof raw);
    visible_make(error->text, sizeof error->text);
    const char *origin = strcmp(raw, error->text) != 0 ? message_origin(raw) : NULL;
    if (origin)
        message_remember(error->text, origin);
}

enum status fail(struct error *error, enum status status, const char *format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        explain_from(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
        make_visible(error); /* names of files and drivers' words are in it */
    }
    return status;
}

enum status fail_in(struct error *error, enum status status, const char *format, ...)
{
    if (!error)
        return status;
    char text[sizeof error->text];
    va_list arguments;
    va_start(arguments, format);
    explain_from(text, sizeof text, format, arguments);
    va_end(arguments);
    explain(error->text, sizeof error->text, "%s: %s", text, error->text);
    make_visible(error);
    return status;
}
