#include "explain/compiled/source_lines.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "base/translation.h"
#include "explain/compiled/tool.h"

#define ADDRESS_TEXT 20

/* The first one again, for what is said where none is there. */
static const char *const programs[] = {"addr2line", "llvm-addr2line", "llvm-addr2line-14", "addr2line"};

bool source_lines_is_program(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(programs); i++)
        if (strcmp(name, programs[i]) == 0)
            return true;
    return false;
}

/* addr2line -a prints a line "0x…" for each address, then its lines. */
static void hand_over(const char *output, size_t count, source_take *take, void *context)
{
    size_t next = 0;
    for (const char *line = output; *line && next <= count;) {
        const size_t length = strcspn(line, "\n");
        if (line[0] == '0' && line[1] == 'x')
            next++;
        else if (next > 0)
            take(context, next - 1, line, length);
        line += length + (line[length] == '\n');
    }
}

enum status source_lines(const char *object, const uint64_t *addresses, size_t count, source_take *take, void *context,
                         struct error *error)
{
    char tool[TOOL_PATH_MAX], *output = NULL, *text = calloc(count + 1, ADDRESS_TEXT);
    size_t length = 0;
    enum status status = STATUS_UNAVAILABLE;
    if (!text)
        return fail(error, status, "no memory for the rung's code");
    for (size_t i = 0; i < count; i++)
        length += (size_t)sprintf(text + length, "0x%" PRIx64 "\n", addresses[i]);
    for (size_t i = 0; i < COUNT_OF(programs) && status != STATUS_OK; i++)
        status = tool_find(programs[i], NULL, N_("install binutils"), tool, error);
    const char *const arguments[] = {tool, "-a", "-i", "-e", object, NULL};
    if (status == STATUS_OK)
        status = tool_read(&(struct tool_call){.arguments = arguments, .data = text, .bytes = length}, &output, error);
    if (status == STATUS_OK)
        hand_over(output, count, take, context);
    free(output);
    free(text);
    return status;
}
