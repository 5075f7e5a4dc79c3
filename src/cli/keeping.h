/* The store's side of a command that measures. */
#ifndef USKOR_CLI_KEEPING_H
#define USKOR_CLI_KEEPING_H

#include "cli/measuring.h"

/* Opens the store, unless nothing is to be kept. */
enum status keeping_open(struct measuring *measuring, struct error *error);

/* Whether a run may be called so: 1 to 127 bytes in one line, not all digits, no '*', '~' or '/', not "last". */
bool label_is_good(const char *label);

#endif
