/* The reader of standard output ("| head") may be gone before everything is written. */
#pragma once

#include <stdbool.h>

/* From now on that does not end the program at once, unless SIGPIPE has a handler already or is ignored: it can close
 * its store first, so that SQLite leaves no files beside it. */
void output_reader_outlive(void);

/* Whether a write found no reader. */
bool output_reader_is_gone(void);

/* Ends the program as SIGPIPE would have. */
void output_reader_follow(void);
