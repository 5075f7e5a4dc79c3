/* The command line as a person would type it again to measure the same. */
#ifndef USKOR_CLI_OPTIONS_COMMAND_LINE_H
#define USKOR_CLI_OPTIONS_COMMAND_LINE_H

#include <stddef.h>

/* "uskor bench transpose --device cpu": quoted for a shell, without the program's folder and without what says only
 * where the figures go (-o, --force, --store, --label, --json, --csv). Returns `text`, cut when it does not fit. */
const char *command_line(char *text, size_t size);

/* The same for arguments one after another, each with its end, as /proc/self/cmdline has them. */
const char *command_line_from(const char *arguments, size_t bytes, char *text, size_t size);

#endif
