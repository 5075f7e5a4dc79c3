#include "base/status.h"

#include <stdarg.h>

#include "base/message.h"

/* What the header defines over them for the analyzer. */
#undef fail
#undef fail_in

enum status fail(struct error *error, enum status status, const char *format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        explain_from(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
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
    return status;
}
