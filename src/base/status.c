#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/visible.h"

/* What the header defines over them for the analyzer. */
#undef fail
#undef fail_in

enum status fail(struct error *error, enum status status, const char *format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
        visible_make(error->text, sizeof error->text); /* names of files and drivers' words are in it */
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
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length >= 0 && (size_t)length < sizeof text)
        snprintf(text + length, sizeof text - (size_t)length, ": %s", error->text);
    memcpy(error->text, text, sizeof text);
    visible_make(error->text, sizeof error->text);
    return status;
}
