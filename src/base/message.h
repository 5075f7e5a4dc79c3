/* Messages in the reader's language.
 *
 * A message is made, kept and written for programs in English (base/status.h). It is told to people in their language
 * where it is shown: messages.def has the formats that messages are made by, so that a message is known by its format,
 * wherever it comes from, a store that was filled years ago included. */
#ifndef USKOR_BASE_MESSAGE_H
#define USKOR_BASE_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

/* The message in the language chosen; what a message says of another ("warning: …") is told too, and words that nobody
 * has translated stay English. It may be the message itself, and is valid until this thread's fourth call from here. */
const char *say_message(const char *message);

/* Whether messages.def or sentences.def has this very format, for tests. */
bool message_is_known(const char *format);

/* The Nth format in both languages, for tests; false when there are no more. */
bool message_formats(size_t index, const char **english, const char **russian);

#endif
