/* The words for an access beside an array. A signal handler writes them in English; who reads them later makes a
 * message of them (base/message.h), which is told in the reader's language. */
#pragma once

#include <stddef.h>

enum fault_place {
    FAULT_READ_BEFORE,
    FAULT_READ_PAST,
    FAULT_WROTE_BEFORE,
    FAULT_WROTE_PAST,
    FAULT_WROTE_INPUT,
};

/* "read past the end of array 'in'". Does only what a signal handler may. */
void fault_place_write(enum fault_place place, const char *array, char *text, size_t size);

/* Makes in `message` the message that says the same, and returns it; other texts stay as they are. */
const char *fault_place_message(const char *text, char *message, size_t size);
