/* Messages, in English for programs and the store, in the reader's language for people.
 *
 * A message is made from a format and its arguments, in English. How it was made is remembered beside it, so that it is
 * told in any language by its format's translation (base/translation.h), with the same arguments, wherever the English
 * text has gone in the meantime. fail() of base/status.h makes messages; what is not an error is made here. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* Makes a message in `text`, cut to `size` bytes, and returns it. Arguments may be messages themselves, and the old
 * content of `text`. */
const char *explain(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
const char *explain_from(char *text, size_t size, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/* Makes a message of the one in `text` with another behind it: "no such rung" and "; did you mean '%s'?". */
const char *explain_more(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The message in the language chosen. A text that was not made as a message is translated whole, or stays as it is. The
 * result may be the message itself, and is valid until this thread's fourth call from here. */
const char *say_message(const char *message);

/* How a message was made, to be kept beside it: ["format", "argument", …], where an argument that is a message is such
 * a list itself. NULL when it is not known. Valid as long as the program runs. */
const char *message_origin(const char *message);

/* Remembers how a message was made, as message_origin returned it; any other text is ignored. */
void message_remember(const char *message, const char *origin);

/* For a message that travels in a structure to another process of this program: its origin, or "", beside it. */
#define MESSAGE_ORIGIN_BYTES 2048
void message_pack(const char *message, char origin[MESSAGE_ORIGIN_BYTES]);
void message_unpack(const char *message, const char origin[MESSAGE_ORIGIN_BYTES]);
