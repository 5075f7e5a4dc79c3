/* Messages of the C library: English, made where they are needed. It has no translations, and does not remember how a
 * message was made. */
#include "base/message.h"

#include <stdio.h>

#include "base/translation.h"

#define TEXT_MOST 2048

const char *explain_from(char *text, size_t size, const char *format, va_list arguments)
{
    char made[TEXT_MOST]; /* arguments may be the text's old content */
    vsnprintf(made, size < sizeof made ? size : sizeof made, format, arguments);
    snprintf(text, size, "%s", made);
    return text;
}

const char *say_message(const char *message)
{
    return message;
}

const char *message_origin(const char *message)
{
    (void)message;
    return NULL;
}

void message_remember(const char *message, const char *origin)
{
    (void)message, (void)origin;
}

void message_pack(const char *message, char origin[MESSAGE_ORIGIN_BYTES])
{
    (void)message;
    origin[0] = '\0';
}

void message_unpack(const char *message, const char origin[MESSAGE_ORIGIN_BYTES])
{
    (void)message, (void)origin;
}

const char *tr(const char *english)
{
    return english;
}

const char *tr_plural(const char *one, const char *many, size_t count)
{
    return count == 1 ? one : many;
}
