#include "cli/options/command_line.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "base/text.h"

/* Options that say where the figures go; with a value as the next argument, or "=" and the value. */
static const struct {
    const char *name;
    bool has_value;
} left_out[] = {
    {"-o", true},       {"--output", true}, {"--store", true}, {"--label", true},
    {"--force", false}, {"--json", false},  {"--csv", false},
};

/* How many arguments from this one on are left out: 0, 1 or 2. */
static int arguments_left_out(const char *argument)
{
    for (size_t i = 0; i < COUNT_OF(left_out); i++) {
        size_t length = strlen(left_out[i].name);
        if (strncmp(argument, left_out[i].name, length) != 0)
            continue;
        if (argument[length] == 0)
            return left_out[i].has_value ? 2 : 1;
        if (left_out[i].has_value && (argument[length] == '=' || length == 2))
            return 1;
    }
    return 0;
}

static void append_quoted(char *text, size_t size, const char *argument)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=:,./+@%^";
    if (*argument && strspn(argument, plain) == strlen(argument)) {
        text_append(text, size, "%s", argument);
        return;
    }
    text_append(text, size, "'");
    for (; *argument; argument++)
        text_append(text, size, *argument == '\'' ? "'\\''" : "%c", *argument);
    text_append(text, size, "'");
}

const char *command_line_from(const char *arguments, size_t bytes, char *text, size_t size)
{
    const char *end = arguments + bytes;
    int skip = 0;
    *text = 0;
    for (const char *argument = arguments; argument < end; argument += strlen(argument) + 1) {
        if (argument == arguments) {
            const char *slash = strrchr(argument, '/');
            append_quoted(text, size, slash ? slash + 1 : argument);
            continue;
        }
        if (skip == 0)
            skip = arguments_left_out(argument);
        if (skip > 0) {
            skip--;
            continue;
        }
        text_append(text, size, " ");
        append_quoted(text, size, argument);
    }
    return text;
}

const char *command_line(char *text, size_t size)
{
    char arguments[8192];
    FILE *file = fopen("/proc/self/cmdline", "re");
    size_t bytes = file ? fread(arguments, 1, sizeof arguments - 1, file) : 0;
    if (file)
        fclose(file);
    arguments[bytes] = 0;
    return command_line_from(arguments, bytes, text, size);
}
