/* A command's help, in the reader's language, in as many columns as there are. */
#pragma once

#include <stdio.h>

#include "cli/options/options.h"

/* Options that every command has besides its own; the last row is empty. */
extern const struct option common_options[];

/* Usage, what the command does, its options in the order of their tables (the shared ones after its own), and what
 * comes after the \v of its doc. `name` is "uskor sort". */
void help_print(FILE *stream, const struct usage *usage, const char *name, int width);

/* Paragraphs, each after an empty line: wrapped at `width` or 80, whichever is less; one that begins with a space is an
 * example and stays as it is. */
void help_text(FILE *stream, const char *text, int width);
