/* Text from outside (a store, an export, a driver, a file name) made safe to display. Escapes replace control
 * characters, characters that change the writing direction, and bytes that are not UTF-8: "\x1b", "\x9f", "\u202e".
 * Letters of every language are kept. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The letter at `text` and its bytes; 0 bytes where there is none (RFC 3629: no overlong forms, no surrogates). */
size_t visible_letter(const unsigned char *text, uint32_t *letter);

/* Whether the text can be shown as it is: UTF-8 without control characters (C0, DEL, C1), line separators and
 * characters that set the direction of writing or are never seen. */
bool visible_is(const char *text);

/* The text with escapes into `to` of `size` bytes (at least 1), always terminated; whole letters and escapes only.
 * False when it was cut. `from` and `to` must not overlap. */
bool visible_copy(const char *from, char *to, size_t size);

/* The same in place: what no longer fits in `size` bytes is cut. */
void visible_make(char *text, size_t size);
