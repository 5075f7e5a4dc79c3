/* The directive that gives lines back their numbers in the user's own file. */
#pragma once

#include <stddef.h>

/* "#line 7 \"PATH\"\n", the path made fit to be shown, as a string of C: its bytes may be any. malloc'ed; NULL when
 * memory is out. */
char *line_directive(size_t line, const char *path);
