#include "explain/tool_service.h"

#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "explain/compiled/source_lines.h"
#include "explain/compiled/tool.h"
#include "explain/memory/compiler.h"

#define REQUEST_MOST ((size_t)256 << 20)

/* A file's absolute name, or an option that is asked for here. */
static bool is_argument(const char *text)
{
    static const char *const options[] = {"@", "-e", "-a", "-i", "-c", "-gi", "-ndf", "-hex"};
    for (size_t i = 0; i < COUNT_OF(options); i++)
        if (strcmp(text, options[i]) == 0)
            return true;
    return text[0] == '/' || compiler_is_option(text);
}

static bool is_tool(const char *name, char path[TOOL_PATH_MAX])
{
    struct error unused;
    const bool is_disassembler = strcmp(name, "nvdisasm") == 0;
    snprintf(path, TOOL_PATH_MAX, "%s", name);
    if (compiler_is_program(name))
        return true;
    return (is_disassembler || source_lines_is_program(name)) &&
           tool_find(name, is_disassembler ? getenv("USKOR_NVDISASM") : NULL, "", path, &unused) == STATUS_OK;
}

/* The folder in which everything of this explanation lies, or one in it. */
static bool is_own_folder(const char *path)
{
    const char *folder = getenv("TMPDIR");
    const size_t length = folder ? strlen(folder) : 0;
    return length && strncmp(path, folder, length) == 0 && (path[length] == '/' || !path[length]) &&
           !strstr(path, "/..");
}

/* The text at *at, and *at behind it; NULL at the end. `data` end in a 0. */
static const char *next_text(const char **at, const char *end)
{
    const char *text = *at < end ? *at : NULL;
    *at += text ? strlen(text) + 1 : 0;
    return text;
}

static void serve(const char *data, size_t bytes, FILE *answer)
{
    const char *at = data, *end = data + bytes, *arguments[TOOL_ARGUMENTS_MOST + 1] = {NULL}, *text;
    char path[TOOL_PATH_MAX], *output = NULL;
    const char *name = next_text(&at, end), *folder = next_text(&at, end);
    size_t count = 1;
    bool is_well = name && is_tool(name, path) && (!folder || !*folder || is_own_folder(folder));
    arguments[0] = path;
    for (; count < TOOL_ARGUMENTS_MOST && (text = next_text(&at, end)) && *text; arguments[count++] = text)
        is_well = is_well && is_argument(text);
    const struct tool_call call = {.arguments = arguments,
                                   .folder = folder && *folder ? folder : NULL,
                                   .data = at < end ? at : NULL,
                                   .bytes = at < end ? (size_t)(end - at) : 0};
    int code = is_well ? 0 : 126;
    if (is_well && folder) /* otherwise: it is there */
        code = tool_run_for(&call, call.folder ? NULL : getenv("TMPDIR"), &output);
    fprintf(answer, "%d %s", code, output ? output : "");
    free(output);
}

const struct service explain_services[] = {{TOOL_SERVICE, REQUEST_MOST, serve}, {0}};
